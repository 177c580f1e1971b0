import type { TroubleGroup } from '@healthd/schemas';
import { axisTop } from '../../components/axis.js';
import { changeInWords, type TimedCount, timesAlong } from './trend-points.js';

interface TrendProps {
  points: TroubleGroup['trend'];
  /** Current size of the group. */
  now: number;
}

/** Trend of a group in the last week, as a line and as text. */
export function Trend({ points, now }: TrendProps) {
  const counts = [
    ...points.map(({ at, connections }) => ({ atMs: Date.parse(at), count: connections })),
    { atMs: Date.now(), count: now },
  ];
  return (
    <div className="trend muted">
      {points.length > 1 && <Line counts={counts} />}
      <span>{changeInWords(counts)}</span>
    </div>
  );
}

function Line({ counts }: { counts: readonly TimedCount[] }) {
  const top = axisTop(Math.max(...counts.map(({ count }) => count)));
  const times = timesAlong(counts);
  const path = counts.map(({ count }, index) => `${(times[index] ?? 0) * 100},${24 - (count / top) * 22}`).join(' ');
  return (
    <svg viewBox="0 0 100 25" preserveAspectRatio="none" aria-hidden="true">
      <polyline points={path} />
    </svg>
  );
}
