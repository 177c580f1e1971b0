import type { TimeRange } from '@healthd/providers';
import type pg from 'pg';
import type { WriteResult } from '../../records/index.js';

/** How a range of one kind of data ended. */
export type RangeOutcome = 'success' | 'failed' | 'skipped';

/** A range that a run reads; what of it is stored already lies at its end. */
export interface RunRange {
  dataType: string;
  fromMs: number;
  toMs: number;
  /** Everything from here to `toMs` is stored. */
  doneFromMs: number;
}

/** A range that is to be read, or that is left out with a reason. */
export interface PlannedRange extends TimeRange {
  dataType: string;
  skipped?: string;
}

/** Writes down what a run is to read. */
export async function planRanges(client: pg.ClientBase, runId: string, ranges: readonly PlannedRange[]): Promise<void> {
  await client.query(
    `insert into pull_progress (run_id, data_type, from_at, to_at, done_from_at, outcome, error)
     select $1, data_type, to_timestamp(start_ms / 1000), to_timestamp(end_ms / 1000), to_timestamp(end_ms / 1000),
            case when error is not null then 'skipped' end, error
       from unnest($2::text[], $3::float8[], $4::float8[], $5::text[]) as planned (data_type, start_ms, end_ms, error)`,
    [
      runId,
      ranges.map(({ dataType }) => dataType),
      ranges.map(({ startMs }) => startMs),
      ranges.map(({ endMs }) => endMs),
      ranges.map(({ skipped }) => skipped ?? null),
    ],
  );
}

/** The range with the newest data that is not stored yet, of any type but those that are set aside. */
export async function nextRange(
  pool: pg.Pool,
  runId: string,
  { order, aside }: { order: readonly string[]; aside: Iterable<string> },
): Promise<RunRange | undefined> {
  const { rows } = await pool.query<RunRange>(
    `select data_type as "dataType", extract(epoch from from_at)::float8 * 1000 as "fromMs",
            extract(epoch from to_at)::float8 * 1000 as "toMs",
            extract(epoch from done_from_at)::float8 * 1000 as "doneFromMs"
       from pull_progress where run_id = $1 and outcome is null and data_type <> all ($2::text[])
      order by done_from_at desc, array_position($3::text[], data_type), from_at desc limit 1`,
    [runId, [...aside], order],
  );
  const row = rows[0];
  if (!row) return undefined;
  const whole = (ms: number) => Math.round(ms);
  return { ...row, fromMs: whole(row.fromMs), toMs: whole(row.toMs), doneFromMs: whole(row.doneFromMs) };
}

/** What one window brought. */
export interface WindowCounts {
  received: number;
  rejected: number;
  inserted: number;
  updated: number;
  deleted: number;
}

/** Rows that a write changed, of all kinds together. */
export function countsOf(written: WriteResult): Pick<WindowCounts, 'inserted' | 'updated' | 'deleted'> {
  const kinds = ['samples', 'sleepSessions', 'workouts', 'menstrualCycles', 'healthScores'] as const;
  const sum = (member: 'inserted' | 'updated') => kinds.reduce((total, kind) => total + written[kind][member], 0);
  const { samples, sessions, healthScores } = written.deleted;
  return { inserted: sum('inserted'), updated: sum('updated'), deleted: samples + sessions + healthScores };
}

/** Notes that everything from `doneFromMs` on is stored, in the transaction that stores it. */
export async function advanceRange(
  client: pg.ClientBase,
  runId: string,
  { dataType, fromMs, toMs }: Pick<RunRange, 'dataType' | 'fromMs' | 'toMs'>,
  doneFromMs: number,
  counts: WindowCounts,
): Promise<void> {
  await client.query(
    `insert into pull_progress as p (run_id, data_type, from_at, to_at, done_from_at, outcome,
                                     windows, received, rejected, inserted, updated, deleted)
     values ($1, $2, to_timestamp($3::float8 / 1000), to_timestamp($4::float8 / 1000), to_timestamp($5::float8 / 1000),
             case when $5::float8 <= $3 then 'success' end, 1, $6, $7, $8, $9, $10)
     on conflict (run_id, data_type, from_at) do update
        set done_from_at = excluded.done_from_at, outcome = excluded.outcome, error = null, windows = p.windows + 1,
            received = p.received + excluded.received, rejected = p.rejected + excluded.rejected,
            inserted = p.inserted + excluded.inserted, updated = p.updated + excluded.updated,
            deleted = p.deleted + excluded.deleted`,
    [
      runId,
      dataType,
      fromMs,
      toMs,
      doneFromMs,
      counts.received,
      counts.rejected,
      counts.inserted,
      counts.updated,
      counts.deleted,
    ],
  );
}

/** Ends what is open of a run, or of some of its types, without success. */
export async function endOpenRanges(
  pool: pg.Pool | pg.ClientBase,
  runId: string,
  { outcome, error, dataTypes }: { outcome: RangeOutcome; error: string; dataTypes?: readonly string[] },
): Promise<void> {
  await pool.query(
    `update pull_progress set outcome = $2, error = $3
      where run_id = $1 and outcome is null and ($4::text[] is null or data_type = any ($4))`,
    [runId, outcome, error, dataTypes ?? null],
  );
}

/** Why a type is not read for the moment, for whoever looks at the run meanwhile. */
export async function noteTrouble(pool: pg.Pool, runId: string, dataType: string, error: string): Promise<void> {
  await pool.query('update pull_progress set error = $3 where run_id = $1 and data_type = $2 and outcome is null', [
    runId,
    dataType,
    error,
  ]);
}
