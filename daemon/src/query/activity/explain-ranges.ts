import type { ActivityExplanation } from '@healthd/api';
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
  const joined: Stretch[] = [];
  const lastOf = new Map<number, Stretch>();
  for (const stretch of parts.flatMap(stretchesOf).sort((a, b) => a.fromMs - b.fromMs || a.sourceId - b.sourceId)) {
    const last = lastOf.get(stretch.sourceId);
    if (last && stretch.fromMs <= last.toMs) {
      last.toMs = Math.max(last.toMs, stretch.toMs);
      last.amount += stretch.amount;
    } else {
      joined.push(stretch);
      lastOf.set(stretch.sourceId, stretch);
    }
  }
  return joined.map(({ sourceId, fromMs, toMs, amount }) => ({
    source_id: idOf(sourceId),
    start: instantText(fromMs),
    end: instantText(toMs),
    amount: sumValue(amount),
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
