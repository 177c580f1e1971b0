/** Text without U+0000, the one character that Postgres cannot store; vendors send it in padded device names. */
export function storableText(text: string): string {
  return text.includes('\u0000') ? text.replaceAll('\u0000', '') : text;
}

/** JSON for a jsonb column, which refuses U+0000 as well. */
export function storableJson(value: object): string {
  return JSON.stringify(value, (_key, member: unknown) => (typeof member === 'string' ? storableText(member) : member));
}
