import textWidth from 'string-width';

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Width of a text in terminal columns. */
export { textWidth };

/** Truncates text to at most `columns` and appends `…`. Never splits a character. */
export function truncate(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  let fitting = '';
  let width = 1;
  for (const { segment } of graphemes.segment(text)) {
    width += textWidth(segment);
    if (width > columns) break;
    fitting += segment;
  }
  return `${fitting}…`;
}

/**
 * Returns the text on one line without control characters, so a user's name cannot move the cursor, color the terminal,
 * break a table or reverse the text direction.
 */
export function plainText(text: string): string {
  return text.replaceAll(/[\t\n\r]+/g, ' ').replaceAll(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, '\uFFFD');
}
