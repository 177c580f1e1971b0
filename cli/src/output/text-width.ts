const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

const ZERO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;
const EMOJI = /\p{Emoji_Presentation}|\uFE0F/u;

/** First and last code points that terminals draw two columns wide (Unicode East Asian Width W and F, in blocks). */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x20000, 0x3fffd],
];

/** Columns that a text takes in a terminal. */
export function textWidth(text: string): number {
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += graphemeWidth(segment);
  return width;
}

function graphemeWidth(grapheme: string): number {
  if (ZERO_WIDTH.test(grapheme)) return 0;
  const code = grapheme.codePointAt(0) ?? 0;
  if (code < 0x300) return 1;
  return EMOJI.test(grapheme) || WIDE.some(([from, to]) => code >= from && code <= to) ? 2 : 1;
}

/** The text cut to at most `columns`, with `…` in place of what is missing; characters are never split. */
export function truncate(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  let kept = '';
  let width = 1;
  for (const { segment } of graphemes.segment(text)) {
    width += graphemeWidth(segment);
    if (width > columns) break;
    kept += segment;
  }
  return `${kept}…`;
}

/**
 * The text on one line without control characters: a name that somebody chose cannot move the cursor, colour the
 * terminal or break a table, and cannot reverse the direction of what follows.
 */
export function plainText(text: string): string {
  return text.replaceAll(/[\t\n\r]+/g, ' ').replaceAll(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, '\uFFFD');
}
