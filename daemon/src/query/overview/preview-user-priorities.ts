import { dayNumber } from '@healthd/model';
import type { ActivityMerge, DateOrInstant, UserPrioritiesPreview } from '@healthd/schemas';
import { unprocessable } from '../../platform/failures.js';
import type { Priorities } from '../../priorities/index.js';
import { readActivity } from '../activity/activity.js';
import { type BodyParams, readBody } from '../body/body.js';
import { dayBounds } from '../bounds.js';
import { readRecovery } from '../nights/recovery-summary.js';
import { readSleepSummary } from '../nights/sleep-summary.js';
import type { SummarySource } from '../sources.js';
import { withheldActivity, withheldBody, withheldRecovery, withheldSleep } from '../withheld.js';

/** Maximum number of compared days. Each day is read twice. */
const LONGEST_DAYS = 100;

interface UserPreviewParams {
  start: DateOrInstant;
  end: DateOrInstant;
  merge: ActivityMerge;
  /** Changed priorities. Other priorities keep their number. */
  change: Parameters<Priorities['changed']>[0];
  /** Parameters of the body summary, and the providers whose figures summaries must not show. */
  body: BodyParams;
}

/**
 * Returns one user's days, nights, recoveries and body summary that other priorities would change, each before and
 * after the change. Uses the code of the summaries.
 * @throws Failure `unprocessable` if the range is too long
 */
export async function previewUserPriorities(
  { pool, priorities: store }: SummarySource,
  userKey: number,
  { start, end, merge, change, body: bodyParams }: UserPreviewParams,
): Promise<UserPrioritiesPreview> {
  const { fromDate, beforeDate } = dayBounds({ start, end, endName: 'end_date' });
  if ((dayNumber(beforeDate) as number) - (dayNumber(fromDate) as number) > LONGEST_DAYS) {
    throw unprocessable(['query', 'end_date'], `The range has more than ${LONGEST_DAYS} days.`);
  }
  const { withheld } = bodyParams;
  const now = await store.current();
  const range = { start, end, limit: LONGEST_DAYS };
  const read = async (priorities: Priorities) => {
    const source = { pool, priorities: { current: async () => priorities } };
    const [days, nights, recoveries, body] = await Promise.all([
      readActivity(source, userKey, { ...range, merge, sortOrder: 'asc' }),
      readSleepSummary(source, userKey, range),
      readRecovery(source, userKey, range),
      readBody(source, userKey, bodyParams),
    ]);
    return {
      days: days.data.map((row) => withheldActivity(row, withheld)),
      nights: nights.data.map((row) => withheldSleep(row, withheld)),
      recoveries: recoveries.data.map((row) => withheldRecovery(row, withheld)),
      body: body && withheldBody(body, withheld),
    };
  };
  const before = await read(now);
  const after = await read(now.changed(change));
  const days = comparedRows(before.days, after.days);
  const nights = comparedRows(before.nights, after.nights);
  const recoveries = comparedRows(before.recoveries, after.recoveries);
  const body = { before: before.body, after: after.body };
  return {
    days_compared: days.length,
    nights_compared: nights.length,
    recoveries_compared: recoveries.length,
    days: days.filter(isDifferent),
    nights: nights.filter(isDifferent),
    recoveries: recoveries.filter(isDifferent),
    body: isDifferent(body) ? body : null,
  };
}

/** Pairs the rows of each date in order. A sleep may move to another date, so either row may be missing. */
function comparedRows<Row extends { date: string }>(before: readonly Row[], after: readonly Row[]) {
  const [earlier, later] = [before, after].map((rows) => new Map(rows.map((row) => [row.date, row])));
  const dates = [...new Set([...before, ...after].map(({ date }) => date))].sort();
  return dates.map((date) => ({ date, before: earlier?.get(date) ?? null, after: later?.get(date) ?? null }));
}

function isDifferent({ before, after }: { before: object | null; after: object | null }): boolean {
  return JSON.stringify(before) !== JSON.stringify(after);
}
