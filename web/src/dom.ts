/** Elements without ceremony: `h("button.primary", { onclick }, "New game")`. */

type Properties = Record<string, unknown>;
export type Child = Node | string | null | undefined | false;

/** Make an element from `tag.class.class`, its properties or attributes, and its children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  selector: K | `${K}.${string}`,
  properties: Properties = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const [tag, ...classes] = selector.split(".") as [K, ...string[]];
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name in element && !name.startsWith("aria")) Reflect.set(element, name, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

/** The same for drawings; attributes only. */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string | number>> = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  append(element, children);
  return element;
}

/** Put children in the place of whatever is there. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren();
  append(element, children);
}

function append(element: Element, children: Child[]): void {
  for (const child of children) if (child !== null && child !== undefined && child !== false) element.append(child);
}

/** Text in which `...` is code. */
export const withCode = (text: string): Child[] =>
  text.split("`").map((part, place) => (place % 2 ? h("code", {}, part) : part));

/** A labelled form field. */
export function field(label: string, control: HTMLElement, note = ""): HTMLLabelElement {
  return h("label.field", {}, h("span.field-label", {}, label), control, note && h("span.field-note", {}, note));
}

/** A value, what people read, and a tooltip. */
export type Option = readonly [value: string, text: string, title?: string];

/** A drop-down with values and what people read. */
export function select(options: readonly Option[], chosen?: string): HTMLSelectElement {
  const element = h("select");
  offer(element, options, chosen);
  return element;
}

/** The options of a drop-down; what was chosen stays chosen where it can. */
export function offer(element: HTMLSelectElement, options: readonly Option[], chosen = element.value): void {
  fill(element, ...options.map(([value, text, title]) => h("option", { value, title }, text)));
  if (options.some(([value]) => value === chosen)) element.value = chosen;
}

/** Names as options. */
export const named = (names: readonly string[]): [string, string][] => names.map((name) => [name, name]);

/** Hand text to the person as a file. */
export function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
