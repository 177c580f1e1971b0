import { MS_PER_DAY, MS_PER_MINUTE, runsOf } from '@healthd/model';
import { DirtyDays } from '../../facts/dirty-days.js';
import type { OffsetTimeline } from '../../facts/offsets/offset-timeline.js';
import type { SampleRange } from '../../facts/samples/sample-rows.js';

/** Number of days per read, summed over series. Limits memory when a batch touches years. */
const DAYS_PER_READ = 64;

/** Plans reads of the dirty days that the batch does not contain completely, as time ranges in chunks. */
export function plannedReads(
  timeline: OffsetTimeline,
  dirtyDays: DirtyDays,
  complete: DirtyDays,
): { days: DirtyDays; ranges: SampleRange[] }[] {
  const reads: { days: DirtyDays; ranges: SampleRange[]; count: number }[] = [];
  const stale = new DirtyDays();
  for (const { typeId, sourceId, day } of dirtyDays.entries()) {
    if (!complete.has(typeId, sourceId, day)) stale.add(typeId, sourceId, day);
  }
  for (const typeId of stale.typeIds) {
    const sourceIds = stale.sourcesOf(typeId);
    // Days with at most one day between them form one run. Their time ranges can overlap, because offsets differ by up to
    // 26 hours, and a sample that is read twice would count twice.
    for (const [first, last] of runsOf(stale.daysOf(typeId), { gap: 2, reach: DAYS_PER_READ })) {
      let read = reads.at(-1);
      if (!read || read.count >= DAYS_PER_READ) {
        read = { days: new DirtyDays(), ranges: [], count: 0 };
        reads.push(read);
      }
      read.count += last - first + 1;
      for (const sourceId of sourceIds) {
        for (let day = first; day <= last; day++) {
          if (stale.has(typeId, sourceId, day)) read.days.add(typeId, sourceId, day);
        }
      }
      read.ranges.push({ typeId, sourceIds, ...instantsOf(first, last, timeline) });
    }
  }
  return reads;
}

/** Returns the time range that local days `first` to `last` have under any offset of the user's data around them. */
export function instantsOf(first: number, last: number, timeline: OffsetTimeline): { fromMs: number; toMs: number } {
  const furthestAhead = Math.max(...timeline.offsetsAround(first * MS_PER_DAY));
  const furthestBehind = Math.min(...timeline.offsetsAround(last * MS_PER_DAY));
  return {
    fromMs: first * MS_PER_DAY - furthestAhead * MS_PER_MINUTE,
    toMs: (last + 1) * MS_PER_DAY - furthestBehind * MS_PER_MINUTE,
  };
}
