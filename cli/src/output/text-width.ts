import textWidth from 'string-width';

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Columns that a text takes in a terminal. */
export { textWidth };

/** The text cut to at most `columns`, with `…` in place of what is missing; characters are never split. */
export function truncate(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  let kept = '';
  let width = 1;
  for (const { segment } of graphemes.segment(text)) {
    width += textWidth(segment);
    if (width > columns) break;
    kept += segment;
  }
  return `${kept}…`;
}

/**
 * The text on one line without control characters: a name that a person chose cannot move the cursor, colour the
 * terminal or break a table, and cannot reverse the direction of what follows.
 */
export function plainText(text: string): string {
  return text.replaceAll(/[\t\n\r]+/g, ' ').replaceAll(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, '\uFFFD');
}
