/**
 * datetime.strftime in the C locale, in local time: what strftime_now gives a template.
 */

const dayNames = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const monthNames =
  "January February March April May June July August September October November December".split(
    " ",
  );

/** Directives that stand for others. */
const combined: Record<string, string> = {
  c: "%a %b %e %H:%M:%S %Y",
  D: "%m/%d/%y",
  F: "%Y-%m-%d",
  h: "%b",
  R: "%H:%M",
  r: "%I:%M:%S %p",
  T: "%H:%M:%S",
  X: "%H:%M:%S",
  x: "%m/%d/%y",
};

/** Unknown directives stay as they are; a `-` after the percent sign drops padding. */
export function formatTime(time: Date, format: string): string {
  return format.replace(/%([-_^#]?)([\s\S])/g, (whole, flag: string, directive: string) => {
    const expansion = combined[directive];
    const text =
      expansion === undefined ? directiveText(time, directive) : formatTime(time, expansion);
    if (text === undefined) return whole;
    if (flag === "-") return text.replace(/^[0 ]+(?=.)/, "");
    if (flag === "_") return text.replace(/^0+(?=.)/, (zeros) => " ".repeat(zeros.length));
    return flag === "^" ? text.toUpperCase() : text;
  });
}

function directiveText(time: Date, directive: string): string | undefined {
  const hour = time.getHours();
  const pad = (value: number, width = 2, fill = "0") => String(value).padStart(width, fill);
  const dayName = dayNames[time.getDay()] ?? "";
  const monthName = monthNames[time.getMonth()] ?? "";
  const texts: Record<string, () => string> = {
    "%": () => "%",
    a: () => dayName.slice(0, 3),
    A: () => dayName,
    b: () => monthName.slice(0, 3),
    B: () => monthName,
    C: () => pad(Math.floor(time.getFullYear() / 100)),
    d: () => pad(time.getDate()),
    e: () => pad(time.getDate(), 2, " "),
    f: () => pad(time.getMilliseconds() * 1000, 6),
    G: () => String(isoWeek(time).year),
    H: () => pad(hour),
    I: () => pad(hour % 12 || 12),
    j: () => pad(dayOfYear(time), 3),
    k: () => pad(hour, 2, " "),
    l: () => pad(hour % 12 || 12, 2, " "),
    M: () => pad(time.getMinutes()),
    m: () => pad(time.getMonth() + 1),
    n: () => "\n",
    p: () => (hour < 12 ? "AM" : "PM"),
    P: () => (hour < 12 ? "am" : "pm"),
    S: () => pad(time.getSeconds()),
    s: () => String(Math.floor(time.getTime() / 1000)),
    t: () => "\t",
    u: () => String(time.getDay() || 7),
    U: () => pad(Math.floor((dayOfYear(time) + 6 - time.getDay()) / 7)),
    V: () => pad(isoWeek(time).week),
    W: () => pad(Math.floor((dayOfYear(time) + 6 - ((time.getDay() + 6) % 7)) / 7)),
    w: () => String(time.getDay()),
    Y: () => String(time.getFullYear()),
    y: () => pad(time.getFullYear() % 100),
    // datetime.now() knows no time zone.
    z: () => "",
    Z: () => "",
  };
  return texts[directive]?.();
}

/** Counts from 1. */
function dayOfYear(time: Date): number {
  const start = Date.UTC(time.getFullYear(), 0, 1);
  const day = Date.UTC(time.getFullYear(), time.getMonth(), time.getDate());
  return Math.round((day - start) / 86_400_000) + 1;
}

/** ISO 8601: weeks start on Monday and belong to the year of their Thursday. */
function isoWeek(time: Date): { year: number; week: number } {
  const weekday = time.getDay() || 7;
  const thursday = new Date(time.getFullYear(), time.getMonth(), time.getDate() + 4 - weekday);
  return { year: thursday.getFullYear(), week: Math.ceil(dayOfYear(thursday) / 7) };
}
