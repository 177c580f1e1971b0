import { groupIntervals } from '@healthd/model';
import type { ActivityExplanation } from '@healthd/schemas';
import { groupedBy } from '../../platform/grouped-by.js';
import type { CountedStretch } from '../../store/derived/index.js';
import { instantText, sumValue } from '../presentation.js';

type Range = ActivityExplanation['metrics'][number]['ranges'][number];

/** Stretches that counted, in order of time; those of one source that touch are joined. */
export function joinedRanges(stretches: readonly CountedStretch[], idOf: (sourceId: number) => string): Range[] {
  return [...groupedBy(stretches, ({ sourceId }) => sourceId)]
    .flatMap(([sourceId, own]) => {
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
