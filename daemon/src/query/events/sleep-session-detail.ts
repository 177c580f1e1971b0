import type { SeriesCode } from '@healthd/model';
import type { SleepSessionDetail } from '@healthd/schemas';
import { daysAfter } from '../bounds.js';
import { readNights } from '../nights/night-sessions.js';
import type { SummarySource } from '../sources.js';
import { samplesInside } from './session-samples.js';
import { sleepSession, wakingOffsets } from './sleep-sessions.js';
import { type SleepSessionRow, sessionList } from './sleep-sessions.sql.js';

/** Series that a night's detail contains. */
const SHOWN: readonly SeriesCode[] = [
  'heart_rate',
  'heart_rate_variability_rmssd',
  'heart_rate_variability_sdnn',
  'respiratory_rate',
  'oxygen_saturation',
  'skin_temperature',
];

/** Reads one night or nap with the samples of its source; undefined if the user has no session with this id. */
export async function readSleepSession(
  summaries: SummarySource,
  userKey: number,
  id: string,
): Promise<SleepSessionDetail | undefined> {
  const { pool } = summaries;
  const [row] = await sessionList.byId(pool, userKey, [id]);
  if (!row) return undefined;
  const [localOffsetOf, summaryDate, samples] = await Promise.all([
    wakingOffsets(pool, userKey, [row]),
    dateOfSummary(summaries, userKey, row),
    samplesInside(pool, userKey, row, SHOWN),
  ]);
  return { ...sleepSession(row, localOffsetOf(row)), summary_date: summaryDate, samples };
}

/** Returns the summary date of a session. All copies of a sleep share this date. */
async function dateOfSummary(
  { pool, priorities }: SummarySource,
  userKey: number,
  { id, wake_date: date }: SleepSessionRow,
): Promise<string> {
  const range = { fromDate: date, beforeDate: daysAfter(date, 1) };
  const { days } = await readNights(pool, userKey, range, await priorities.current());
  const day = days.find(({ sleep, naps }) =>
    [...sleep.placed, ...naps.placed].some(({ candidate }) => candidate.sessions.some((session) => session.id === id)),
  );
  return day?.date ?? date;
}
