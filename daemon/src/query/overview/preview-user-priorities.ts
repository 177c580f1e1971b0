import { dayNumber } from '@healthd/model';
import type { ActivityMerge, DateOrInstant, UserPrioritiesPreview } from '@healthd/schemas';
import { unprocessable } from '../../platform/failures.js';
import type { Priorities } from '../../priorities/index.js';
import { readActivity } from '../activity/activity.js';
import { dayBounds } from '../bounds.js';
import { readSleepSummary } from '../nights/sleep-summary.js';
import type { SummarySource } from '../summary-source.js';

/** Days that are compared at most: each of them is read twice. */
const LONGEST_DAYS = 100;

export interface UserPreviewParams {
  start: DateOrInstant;
  end: DateOrInstant;
  merge: ActivityMerge;
  /** Priorities as they would be, over those in force. */
  change: Parameters<Priorities['changed']>[0];
}

/**
 * Days and nights of one person that other priorities would show differently, as the summaries show them now and as they
 * would. Both are read by the code that answers summaries.
 * @throws Failure `unprocessable` for a range that is too long
 */
export async function previewUserPriorities(
  { pool, priorities: store }: SummarySource,
  userKey: number,
  { start, end, merge, change }: UserPreviewParams,
): Promise<UserPrioritiesPreview> {
  const { fromDate, beforeDate } = dayBounds({ start, end, endName: 'end_date' });
  if ((dayNumber(beforeDate) as number) - (dayNumber(fromDate) as number) > LONGEST_DAYS) {
    throw unprocessable(['query', 'end_date'], `The range has more than ${LONGEST_DAYS} days.`);
  }
  const now = await store.current();
  const range = { start, end, limit: LONGEST_DAYS };
  const read = async (priorities: Priorities) => {
    const source = { pool, priorities: { current: async () => priorities } };
    const [days, nights] = await Promise.all([
      readActivity(source, userKey, { ...range, merge, sortOrder: 'asc' }),
      readSleepSummary(source, userKey, range),
    ]);
    return { days: days.data, nights: nights.data };
  };
  const before = await read(now);
  const after = await read(now.changed(change));
  return {
    days_compared: before.days.length,
    nights_compared: before.nights.length,
    days: differences(before.days, after.days),
    nights: differences(before.nights, after.nights),
  };
}

/** The rows of the dates that are not the same in both lists. */
function differences<Row extends { date: string }>(before: readonly Row[], after: readonly Row[]) {
  const later = new Map(after.map((row) => [row.date, row]));
  return before.flatMap((row) => {
    const then = later.get(row.date);
    return then && JSON.stringify(then) !== JSON.stringify(row) ? [{ date: row.date, before: row, after: then }] : [];
  });
}
