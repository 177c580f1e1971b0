/** Removes U+0000, which Postgres cannot store. Vendors send it in padded device names. */
export function storableText(text: string): string {
  return text.includes('\u0000') ? text.replaceAll('\u0000', '') : text;
}
