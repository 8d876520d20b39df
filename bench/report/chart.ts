/**
 * Charts as SVG text. Colours are the page's CSS variables, so a chart is light or dark with it.
 *
 * Contract   values are shown as they are: axes of amounts begin at 0, and no line is smoothed.
 */
import { linearScale, logarithmicScale, type Scale } from "./scale.ts";

export interface Series {
  readonly label: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface LineChart {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly series: readonly Series[];
  readonly logarithmicX?: boolean;
  readonly formatX?: (value: number) => string;
  readonly formatY?: (value: number) => string;
}

export interface BarChart {
  readonly title: string;
  readonly yLabel: string;
  readonly bars: readonly {
    readonly label: string;
    /** Height of the bar. */
    readonly value: number;
    /** Single values, as dots. */
    readonly dots: readonly number[];
  }[];
}

const width = 560;
const height = 300;
const plot = { left: 58, right: 16, top: 16, bottom: 44 };
const plotWidth = width - plot.left - plot.right;
const plotHeight = height - plot.top - plot.bottom;
const tickCount = 5;
/** Colours that the page defines. */
const colourCount = 6;

export function lineChart(chart: LineChart): string {
  const points = chart.series.flatMap((series) => series.points);
  if (points.length === 0) return "";
  const xs = points.map(([x]) => x);
  const xMaximum = Math.max(...xs);
  const x =
    chart.logarithmicX === true
      ? logarithmicScale(Math.min(...xs), xMaximum)
      : linearScale(xMaximum, tickCount);
  const y = linearScale(Math.max(...points.map(([, value]) => value)), tickCount);
  const lines = chart.series.map((series, index) => {
    const path = series.points.map((point) => place(x, y, point)).join(" ");
    return `<polyline class="line colour-${index % colourCount}" points="${path}"/>`;
  });
  const { formatX = shortNumber, formatY = shortNumber } = chart;
  return figure(
    chart,
    chart.series.map((series) => series.label),
    [
      horizontalLines(y, formatY),
      ...x.ticks.map((tick) => {
        const at = plot.left + x.place(tick) * plotWidth;
        return text(at, height - plot.bottom + 18, "middle", formatX(tick));
      }),
      text(plot.left + plotWidth / 2, height - 6, "middle", chart.xLabel),
      ...lines,
    ],
  );
}

export function barChart(chart: BarChart): string {
  if (chart.bars.length === 0) return "";
  const y = linearScale(
    Math.max(...chart.bars.flatMap((bar) => [bar.value, ...bar.dots])),
    tickCount,
  );
  const slot = plotWidth / chart.bars.length;
  const barWidth = Math.min(64, slot * 0.5);
  const bars = chart.bars.map((bar, index) => {
    const middle = plot.left + slot * (index + 0.5);
    const top = yOf(y, bar.value);
    const dots = bar.dots.map(
      (value) => `<circle class="dot" cx="${round(middle)}" cy="${round(yOf(y, value))}" r="3"/>`,
    );
    return [
      `<rect class="bar colour-${index % colourCount}" x="${round(middle - barWidth / 2)}" ` +
        `y="${round(top)}" width="${round(barWidth)}" height="${round(yOf(y, 0) - top)}" rx="3"/>`,
      ...dots,
      text(
        middle,
        Math.min(top, ...bar.dots.map((value) => yOf(y, value))) - 8,
        "middle",
        shortNumber(bar.value),
        "value",
      ),
      text(middle, height - plot.bottom + 18, "middle", bar.label),
    ].join("");
  });
  return figure(chart, [], [horizontalLines(y, shortNumber), ...bars]);
}

interface Titled {
  readonly title: string;
  readonly yLabel: string;
}

function figure(chart: Titled, labels: readonly string[], parts: readonly string[]): string {
  const legend = labels
    .map((label, index) => {
      const swatch = `<span class="swatch colour-${index % colourCount}"></span>`;
      return `<li>${swatch}${escapeText(label)}</li>`;
    })
    .join("");
  return (
    `<figure><figcaption>${escapeText(chart.title)} ` +
    `<span class="unit">${escapeText(chart.yLabel)}</span></figcaption>` +
    `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeText(chart.title)}">` +
    `${parts.join("")}</svg>${legend === "" ? "" : `<ul class="legend">${legend}</ul>`}</figure>`
  );
}

function horizontalLines(y: Scale, format: (value: number) => string): string {
  return y.ticks
    .map((tick) => {
      const at = round(yOf(y, tick));
      const name = tick === 0 ? "axis" : "grid";
      const ends = `x1="${plot.left}" x2="${width - plot.right}" y1="${at}" y2="${at}"`;
      const label = text(plot.left - 8, at + 4, "end", format(tick));
      return `<line class="${name}" ${ends}/>${label}`;
    })
    .join("");
}

function place(x: Scale, y: Scale, [valueX, valueY]: readonly [number, number]): string {
  return `${round(plot.left + x.place(valueX) * plotWidth)},${round(yOf(y, valueY))}`;
}

function yOf(y: Scale, value: number): number {
  return plot.top + (1 - y.place(value)) * plotHeight;
}

function text(x: number, y: number, anchor: string, content: string, name = "label"): string {
  return (
    `<text class="${name}" x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">` +
    `${escapeText(content)}</text>`
  );
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** 1500 is "1.5k": a tick has no room for more. */
function shortNumber(value: number): string {
  if (value >= 10_000) return `${Number((value / 1000).toPrecision(3))}k`;
  return String(Number(value.toPrecision(3)));
}

export function escapeText(value: string): string {
  return value
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
