import type { DateOrInstant, Envelope, RecoverySelection, RecoverySummary } from '@healthd/schemas';
import type pg from 'pg';
import type { Priorities } from '../../priorities/index.js';
import { dayBounds } from '../bounds.js';
import { Cursors } from '../cursors.js';
import { pageOf } from '../page.js';
import { pageEnvelope } from '../page-envelope.js';
import type { SummarySource } from '../summary-source.js';
import {
  CONTINUOUS_TYPES,
  Evidence,
  OXYGEN,
  type Question,
  questionColumns,
  RESTING,
  RMSSD,
  readingsOf,
  SDNN,
} from './evidence.js';
import {
  type RecoverySession,
  type RolledRow,
  recoveryRollups,
  recoverySessions,
  recoveryStamps,
  type StampedRow,
} from './evidence.sql.js';
import { Nights } from './nights.js';
import { type ReadingsRow, recoveryReadings } from './readings.sql.js';
import {
  chooseProvider,
  hasValue,
  knownReadings,
  type ReadingsOf,
  type Recovery,
  recoveryOf,
  recoverySummary,
} from './recovery-day.js';

export interface RecoveryParams {
  start: DateOrInstant;
  end: DateOrInstant;
  cursor?: string;
  limit: number;
  /** Which provider a date is shown from: the most complete one, or strictly the one of the best priority. */
  selection?: RecoverySelection;
}

/**
 * One row per date of waking, computed from stored series for every provider. Roll-ups have almost everything; where a
 * night has no readings of its own, the samples of that one night and day are read. Four statements regardless of the range.
 */
export async function readRecovery(
  { pool, priorities: store }: SummarySource,
  userKey: number,
  params: RecoveryParams,
): Promise<Envelope<RecoverySummary>> {
  const { start, end, limit, selection = 'complete' } = params;
  const { fromDate, beforeDate } = dayBounds({ start, end, endName: 'end_date' });
  // Either selection shows the same dates, so a cursor of one is as good for the other.
  const cursors = new Cursors(['date'], { route: 'recovery', userKey, filters: [] });
  const position = cursors.decode(params.cursor);
  const priorities = await store.current();
  const evidence = await readEvidence(pool, userKey, { from: fromDate, before: beforeDate, priorities });
  const dates = evidence.dates(fromDate, beforeDate);
  const backward = position?.before ?? false;
  const edge = position?.key[0] as string | undefined;
  const ahead = dates.filter((date) => edge === undefined || (backward ? date < edge : date > edge));
  if (backward) ahead.reverse();

  const certain = new Set(dates.filter((date) => isCertain(evidence, date, priorities)));
  const shown = upTo(ahead, limit + 1, certain);
  const asked = [...new Set([...shown, ...dates.filter((date) => !certain.has(date))])];
  const readings = await readOpen(pool, userKey, evidence, asked);
  const rowOf = (date: string): Recovery | undefined => {
    const candidates = evidence
      .providersOf(date)
      .map((provider) => recoveryOf(evidence, date, provider, readings(date, provider), priorities));
    return chooseProvider(candidates, priorities, selection);
  };
  const found = shown.flatMap((date) => rowOf(date) ?? []);
  const page = pageOf(found.slice(0, limit + 1), limit, position, cursors, (row) => [row.date]);
  const totalCount = dates.filter((date) => certain.has(date) || rowOf(date) !== undefined).length;
  return pageEnvelope(page, (row) => recoverySummary(row, evidence), { start, end, totalCount });
}

async function readEvidence(
  pool: pg.Pool,
  userKey: number,
  { from, before, priorities }: { from: string; before: string; priorities: Priorities },
): Promise<Evidence> {
  const range = [userKey, from, before];
  const [sessions, rolled, stamps] = await Promise.all([
    pool.query<RecoverySession>(recoverySessions(range)),
    pool.query<RolledRow>(recoveryRollups([...range, CONTINUOUS_TYPES])),
    pool.query<StampedRow>(recoveryStamps([...range, CONTINUOUS_TYPES, RESTING])),
  ]);
  return new Evidence(new Nights(sessions.rows, priorities), rolled.rows, stamps.rows);
}

/** Whether a date surely has a row, with or without its open readings. */
function isCertain(evidence: Evidence, date: string, priorities: Priorities): boolean {
  return evidence.providersOf(date).some((provider) => {
    const settled: ReadingsOf = (typeId) => knownReadings(evidence.settled(date, provider, typeId));
    return hasValue(recoveryOf(evidence, date, provider, settled, priorities));
  });
}

/** As many dates as surely hold `count` rows. */
function upTo(dates: readonly string[], count: number, certain: ReadonlySet<string>): string[] {
  let rows = 0;
  const end = dates.findIndex((date) => {
    if (certain.has(date)) rows++;
    return rows === count;
  });
  return end < 0 ? [...dates] : dates.slice(0, end + 1);
}

/** Reads what the roll-ups leave open for some dates; the answer gives the readings of any date and provider. */
async function readOpen(
  pool: pg.Pool,
  userKey: number,
  evidence: Evidence,
  dates: readonly string[],
): Promise<(date: string, provider: string) => ReadingsOf> {
  const questions: Question[] = dates.flatMap((date) =>
    evidence
      .providersOf(date)
      .flatMap((provider) =>
        CONTINUOUS_TYPES.flatMap((typeId) =>
          evidence.settled(date, provider, typeId) === 'open' ? [{ date, provider, typeId }] : [],
        ),
      ),
  );
  const key = ({ date, provider, typeId }: Question) => `${date} ${typeId} ${provider}`;
  const columns = questionColumns(questions, evidence.nights);
  const { rows } =
    questions.length === 0
      ? { rows: [] }
      : await pool.query<ReadingsRow>(recoveryReadings([userKey, OXYGEN, [SDNN, RMSSD], ...columns]));
  const answers = new Map(questions.map((question, at) => [key(question), rows[at] && readingsOf(rows[at])]));
  return (date, provider) => (typeId) => {
    const settled = evidence.settled(date, provider, typeId);
    return settled === 'open' ? answers.get(key({ date, provider, typeId })) : settled;
  };
}
