const COLOURS = 6;

/** Dashes, so that colour is not the only difference. */
const DASHES: readonly (readonly number[])[] = [[], [6, 3], [2, 3], [9, 3, 2, 3], [4, 2], [1, 2]];

/** How the line at a place of a chart is drawn, on the chart and in its legend. The first 36 differ. */
export function lineLook(at: number): { className: string; dash: number[] } {
  const round = Math.floor(at / COLOURS);
  return { className: `line-${(at % COLOURS) + 1}`, dash: [...(DASHES[(at + round) % DASHES.length] ?? [])] };
}
