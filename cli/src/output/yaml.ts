/** Words that YAML 1.1 or 1.2 does not parse as a string. */
const SPECIAL = /^(?:true|false|null|yes|no|on|off|y|n)$/i;
const PLAIN = /^[A-Za-z_](?:[\w ./+-]*[\w./+-])?$/;

/** Formats a JSON value as YAML in block style. */
export function toYaml(value: unknown): string {
  return `${block(value, 0)}\n`;
}

function block(value: unknown, depth: number): string {
  const indent = '  '.repeat(depth);
  if (Array.isArray(value) && value.length > 0) {
    return value.map((item) => `${indent}- ${block(item, depth + 1).trimStart()}`).join('\n');
  }
  if (isRecord(value) && Object.keys(value).length > 0) {
    return Object.entries(value)
      .map(
        ([key, item]) =>
          `${indent}${scalar(key)}:${isNested(item) ? `\n${block(item, depth + 1)}` : ` ${scalar(item)}`}`,
      )
      .join('\n');
  }
  return indent + scalar(value);
}

function scalar(value: unknown): string {
  if (typeof value === 'string') return PLAIN.test(value) && !SPECIAL.test(value) ? value : JSON.stringify(value);
  return JSON.stringify(value ?? null);
}

function isNested(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : isRecord(value) && Object.keys(value).length > 0;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
