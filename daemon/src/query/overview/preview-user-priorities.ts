import { dayNumber } from '@healthd/model';
import type { ActivityMerge, DateOrInstant, UserPrioritiesPreview } from '@healthd/schemas';
import { unprocessable } from '../../platform/failures.js';
import type { Priorities } from '../../priorities/index.js';
import { readActivity } from '../activity/activity.js';
import { dayBounds } from '../bounds.js';
import { readSleepSummary } from '../nights/sleep-summary.js';
import type { SummarySource } from '../summary-source.js';
import { type Withheld, withheldActivity, withheldSleep } from '../withheld.js';

/** Days that are compared at most: each of them is read twice. */
const LONGEST_DAYS = 100;

export interface UserPreviewParams {
  start: DateOrInstant;
  end: DateOrInstant;
  merge: ActivityMerge;
  /** Priorities as they would be, over those in force. */
  change: Parameters<Priorities['changed']>[0];
  /** Providers whose figures summaries do not show. */
  withheld: Withheld;
}

/**
 * Days and nights of one person that other priorities would show differently, as the summaries show them now and as they
 * would. Both are read by the code that answers summaries.
 * @throws Failure `unprocessable` for a range that is too long
 */
export async function previewUserPriorities(
  { pool, priorities: store }: SummarySource,
  userKey: number,
  { start, end, merge, change, withheld }: UserPreviewParams,
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
    return {
      days: days.data.map((row) => withheldActivity(row, withheld)),
      nights: nights.data.map((row) => withheldSleep(row, withheld)),
    };
  };
  const before = await read(now);
  const after = await read(now.changed(change));
  const days = comparedRows(before.days, after.days);
  const nights = comparedRows(before.nights, after.nights);
  return {
    days_compared: days.length,
    nights_compared: nights.length,
    days: days.filter(isDifferent),
    nights: nights.filter(isDifferent),
  };
}

/** The rows of each date in order. A sleep may move to another date, so that either row may be missing. */
function comparedRows<Row extends { date: string }>(before: readonly Row[], after: readonly Row[]) {
  const [earlier, later] = [before, after].map((rows) => new Map(rows.map((row) => [row.date, row])));
  const dates = [...new Set([...before, ...after].map(({ date }) => date))].sort();
  return dates.map((date) => ({ date, before: earlier?.get(date) ?? null, after: later?.get(date) ?? null }));
}

function isDifferent({ before, after }: { before: object | null; after: object | null }): boolean {
  return JSON.stringify(before) !== JSON.stringify(after);
}
