import { describe, expect, test } from "bun:test";
import { filters, refusedFilters } from "../../src/chat-template/filters.ts";

/** jinja2.filters.FILTERS of Jinja 3.1. */
const jinjaFilters = `abs attr batch capitalize center count d default dictsort e escape
  filesizeformat first float forceescape format groupby indent int items join last length list lower
  map max min pprint random reject rejectattr replace reverse round safe select selectattr slice sort
  string striptags sum title tojson trim truncate unique upper urlencode urlize wordcount wordwrap
  xmlattr`.split(/\s+/);

describe("filters", () => {
  test("and those refused are Jinja's, each one once", () => {
    expect([...filters.keys(), ...refusedFilters].sort()).toEqual(jinjaFilters);
  });
});
