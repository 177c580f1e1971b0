const COLOURS = 6;

/** Dash patterns, so that color is not the only difference. */
const DASHES: readonly (readonly number[])[] = [[], [6, 3], [2, 3], [9, 3, 2, 3], [4, 2], [1, 2]];

/** Returns the style of a chart line and its legend. The first 36 styles differ. */
export function lineLook(at: number): { className: string; dash: number[] } {
  const round = Math.floor(at / COLOURS);
  return { className: `line-${(at % COLOURS) + 1}`, dash: [...(DASHES[(at + round) % DASHES.length] ?? [])] };
}
