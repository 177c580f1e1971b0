/** An element as `xml2js` returns it: its text, or its attributes, text and children by name without prefix. */
export type XmlNode = string | { [name: string]: unknown };

/** Returns the children with this name, in file order. */
export function children(node: XmlNode | undefined, name: string): XmlNode[] {
  if (node === undefined || typeof node === 'string') return [];
  const found = node[name];
  return Array.isArray(found) ? (found as XmlNode[]) : [];
}

export function child(node: XmlNode | undefined, ...path: string[]): XmlNode | undefined {
  return path.reduce<XmlNode | undefined>((at, name) => children(at, name)[0], node);
}

/** Returns the trimmed text of a descendant; undefined if it is missing or empty. */
export function text(node: XmlNode | undefined, ...path: string[]): string | undefined {
  const found = child(node, ...path);
  const content = typeof found === 'string' ? found : found?._;
  return typeof content === 'string' ? content.trim() || undefined : undefined;
}

export function attribute(node: XmlNode | undefined, name: string): string | undefined {
  const attributes = typeof node === 'object' ? node.$ : undefined;
  const value = attributes === undefined ? undefined : (attributes as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : undefined;
}

/** Returns the number in a text; undefined if the text is not a number. */
export function numberIn(content: string | undefined): number | undefined {
  if (content === undefined || !/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(content.trim())) return undefined;
  const value = Number(content);
  return Number.isFinite(value) ? value : undefined;
}

const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:?\d\d)?$/i;

/** Returns the instant of a time. A time without an offset is in UTC, as both formats require. */
export function instantIn(content: string | undefined): number | undefined {
  const [, time, fraction = '', offset = 'Z'] = TIME.exec(content?.trim() ?? '') ?? [];
  if (time === undefined) return undefined;
  const zone = /^[+-]\d{4}$/.test(offset) ? `${offset.slice(0, 3)}:${offset.slice(3)}` : offset.toUpperCase();
  const ms = Date.parse(`${time}${fraction.slice(0, 4)}${zone}`);
  return Number.isNaN(ms) ? undefined : ms;
}
