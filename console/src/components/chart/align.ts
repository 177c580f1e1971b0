/** Chart line: name and points in time order. */
export interface Line {
  name: string;
  points: readonly Point[];
}

interface Point {
  /** Milliseconds since the epoch. */
  ms: number;
  value: number;
}

/** Timestamps in seconds, then the values per line: undefined without a point, null at a gap. */
export type AlignedLines = [seconds: number[], ...values: (number | null | undefined)[][]];

/** A gap starts at this multiple of the usual distance between points. */
const GAP = 6;

/** Aligns lines on one time axis. */
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

/** Inserts a null in the middle of each gap. */
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

/** Returns the index `step` points of any line later, or earlier if negative. Stops at the last and first point. */
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
