/** One line of a chart: what it is called, and its points in order of time. */
export interface Line {
  name: string;
  points: readonly Point[];
}

interface Point {
  /** Milliseconds since the epoch. */
  ms: number;
  value: number;
}

/**
 * Seconds that any line has, then the values of each line at them: undefined where a line has no point, null where it is
 * interrupted.
 */
export type AlignedLines = [seconds: number[], ...values: (number | null | undefined)[][]];

/** A line is interrupted where it has no point for so many times the usual distance of its points. */
const GAP = 6;

/** Lines side by side as a chart draws them. */
export function alignLines(lines: readonly Line[]): AlignedLines {
  const columns = lines.map(({ points }) => withGaps(points));
  const seconds = [...new Set(columns.flatMap((points) => points.map(({ ms }) => ms / 1000)))].sort((a, b) => a - b);
  const index = new Map(seconds.map((second, at) => [second, at]));
  const values = columns.map((points) => {
    const column: (number | null | undefined)[] = new Array(seconds.length);
    for (const { ms, value } of points) column[index.get(ms / 1000) ?? 0] = value;
    return column;
  });
  return [seconds, ...values];
}

/** The points with a null in the middle of each interruption. */
function withGaps(points: readonly Point[]): { ms: number; value: number | null }[] {
  const usual = medianDistance(points);
  return points.flatMap((point, at) => {
    const before = points[at - 1];
    if (!before || usual === 0 || point.ms - before.ms <= GAP * usual) return [point];
    return [{ ms: (point.ms + before.ms) / 2, value: null }, point];
  });
}

function medianDistance(points: readonly Point[]): number {
  const distances = points.slice(1).map((point, at) => point.ms - (points[at]?.ms ?? 0));
  distances.sort((a, b) => a - b);
  return distances[Math.floor(distances.length / 2)] ?? 0;
}

/** Index of the point nearest to `at` in that direction that any line has; `at` itself where there is none. */
export function nextIndex([seconds, ...values]: AlignedLines, at: number, step: number): number {
  const last = seconds.length - 1;
  let found = at;
  let left = Math.abs(step);
  for (let index = at + Math.sign(step); index >= 0 && index <= last && left > 0; index += Math.sign(step)) {
    if (!values.some((column) => typeof column[index] === 'number')) continue;
    found = index;
    left--;
  }
  return found;
}
