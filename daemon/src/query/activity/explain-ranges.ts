import { groupIntervals } from '@healthd/model';
import type { ActivityExplanation } from '@healthd/schemas';
import type { CountedPart } from '../../store/derived/index.js';
import { instantText, sumValue } from '../presentation.js';

type Range = ActivityExplanation['metrics'][number]['ranges'][number];

interface Stretch {
  sourceId: number;
  fromMs: number;
  toMs: number;
  amount: number;
}

/** Stretches that counted, in order of time; those of one source that touch are joined. */
export function joinedRanges(parts: readonly CountedPart[], idOf: (sourceId: number) => string): Range[] {
  const stretches = parts.flatMap(stretchesOf);
  return [...new Set(stretches.map(({ sourceId }) => sourceId))]
    .flatMap((sourceId) => {
      const own = stretches.filter((stretch) => stretch.sourceId === sourceId);
      return groupIntervals(own, ({ fromMs, toMs }) => [fromMs, toMs]).map((group) => ({ ...group, sourceId }));
    })
    .sort((a, b) => a.from - b.from || a.sourceId - b.sourceId)
    .map(({ sourceId, from, to, items }) => ({
      source_id: idOf(sourceId),
      start: instantText(from),
      end: instantText(to),
      amount: sumValue(items.reduce((sum, { amount }) => sum + amount, 0)),
    }));
}

function stretchesOf({ sourceId, amount, ranges }: CountedPart): Stretch[] {
  const countedMs = ranges.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  return ranges.map(({ fromMs, toMs }) => ({
    sourceId,
    fromMs,
    toMs,
    amount: countedMs === 0 ? amount : amount * ((toMs - fromMs) / countedMs),
  }));
}
