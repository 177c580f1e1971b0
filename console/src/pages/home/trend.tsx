import { MS_PER_DAY } from '@healthd/model';
import type { TroubleGroup } from '@healthd/schemas';
import { axisTop } from '../../components/axis.js';
import { formatCount } from '../../format.js';

interface TrendProps {
  points: TroubleGroup['trend'];
  /** How many the group has now. */
  now: number;
}

/** How a group developed in the last week, as a line and in words. */
export function Trend({ points, now }: TrendProps) {
  const counts = [...points.map(({ connections }) => connections), now];
  return (
    <div className="trend muted">
      {points.length > 1 && <Line counts={counts} />}
      <span>{changeInWords(points, now)}</span>
    </div>
  );
}

function Line({ counts }: { counts: readonly number[] }) {
  const top = axisTop(Math.max(...counts));
  const last = counts.length - 1;
  const path = counts.map((count, index) => `${(index / last) * 100},${24 - (count / top) * 22}`).join(' ');
  return (
    <svg viewBox="0 0 100 25" preserveAspectRatio="none" aria-hidden="true">
      <polyline points={path} />
    </svg>
  );
}

/** Against the newest count that is at least a day old; nothing where there is none. */
function changeInWords(points: TroubleGroup['trend'], now: number): string {
  const before = points.findLast(({ at }) => Date.parse(at) <= Date.now() - MS_PER_DAY);
  if (before === undefined) return '';
  const change = now - before.connections;
  if (change === 0) return 'as many as a day ago';
  return `${formatCount(Math.abs(change))} ${change > 0 ? 'more' : 'fewer'} than a day ago`;
}
