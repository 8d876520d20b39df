/** Templates are bundled as text: `import template from "./x.jinja" with { type: "text" }`. */
declare module "*.jinja" {
  const text: string;
  export default text;
}
