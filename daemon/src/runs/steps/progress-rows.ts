import { countItems, ITEM_OUTCOMES, type ItemCounts, RejectionTally } from '@healthd/model';
import type { TimeRange, WindowReading } from '@healthd/providers';
import type pg from 'pg';
import type { WriteResult } from '../../store/facts/index.js';

/** How a range of one kind of data ended. */
export type RangeOutcome = 'success' | 'failed' | 'skipped';

/** A range that a run reads; what of it is stored already is at its end. */
export interface RunRange {
  dataType: string;
  fromMs: number;
  toMs: number;
  /** Everything from here to `toMs` is stored. */
  doneFromMs: number;
  /** Of the items of the last millisecond before `doneFromMs`, those up to this id are stored too. */
  doneItem?: string | undefined;
  /** Ids of the only items that are to be read. Default: all. */
  items?: readonly string[] | undefined;
}

/** A range that is to be read, or that is left out with a reason. */
export interface PlannedRange extends TimeRange {
  dataType: string;
  skipped?: string;
  /** Why it can never be read. */
  failed?: string;
  /** Ids of the only items that are to be read. Default: all. */
  items?: readonly string[];
}

/** Writes down what a run is to read. */
export async function planRanges(client: pg.ClientBase, runId: string, ranges: readonly PlannedRange[]): Promise<void> {
  await client.query(
    `insert into pull_progress (run_id, data_type, from_at, to_at, done_from_at, outcome, error, only_items)
     select $1, data_type, to_timestamp(start_ms / 1000), to_timestamp(end_ms / 1000), to_timestamp(end_ms / 1000),
            outcome, error, items
       from unnest($2::text[], $3::float8[], $4::float8[], $5::text[], $6::text[], $7::jsonb[])
            as planned (data_type, start_ms, end_ms, outcome, error, items)`,
    [
      runId,
      ranges.map(({ dataType }) => dataType),
      ranges.map(({ startMs }) => startMs),
      ranges.map(({ endMs }) => endMs),
      ranges.map(({ skipped, failed }) => (skipped !== undefined ? 'skipped' : failed !== undefined ? 'failed' : null)),
      ranges.map(({ skipped, failed }) => skipped ?? failed ?? null),
      ranges.map(({ items }) => (items === undefined ? null : JSON.stringify(items))),
    ],
  );
}

/** The range with the newest data that is not stored yet, of any type but those that are set deferred. */
export async function nextRange(
  pool: pg.Pool,
  runId: string,
  { order, deferred }: { order: readonly string[]; deferred: Iterable<string> },
): Promise<RunRange | undefined> {
  const { rows } = await pool.query<RunRange & { doneItem: string | null; items: string[] | null }>(
    `select data_type as "dataType", done_item as "doneItem", only_items as items, extract(epoch from from_at)::float8 * 1000 as "fromMs",
            extract(epoch from to_at)::float8 * 1000 as "toMs",
            extract(epoch from done_from_at)::float8 * 1000 as "doneFromMs"
       from pull_progress where run_id = $1 and outcome is null and data_type <> all ($2::text[])
      order by done_from_at desc, array_position($3::text[], data_type), from_at desc limit 1`,
    [runId, [...deferred], order],
  );
  const row = rows[0];
  if (!row) return undefined;
  const whole = (ms: number) => Math.round(ms);
  const times = { fromMs: whole(row.fromMs), toMs: whole(row.toMs), doneFromMs: whole(row.doneFromMs) };
  return { dataType: row.dataType, ...times, doneItem: row.doneItem ?? undefined, items: row.items ?? undefined };
}

/** What one window brought. */
export interface WindowCounts extends ItemCounts {
  /** Points that the vendor sent, from which items were read. */
  received: number;
  /** Stored rows that the vendor's answer has no longer. */
  deleted: number;
  /** Rejected items by reason: a code, with the bound that was broken. */
  rejectedByReason: Record<string, number>;
}

/** What became of the items of a window. */
export function countsOf(
  { items, deleted, rejected }: WriteResult,
  { rejections, received, noValue, superseded }: Omit<WindowReading, 'batch'>,
): WindowCounts {
  const counts = { ...items };
  countItems(counts, 'rejected', rejections.total);
  countItems(counts, 'no_value', noValue);
  countItems(counts, 'superseded', superseded);
  const all = new RejectionTally();
  all.addReport(rejections);
  for (const item of rejected) all.add(item);
  const removed = deleted.samples + deleted.sessions + deleted.healthScores;
  return { ...counts, received, deleted: removed, rejectedByReason: all.report.byReason };
}

/** Columns of `pull_progress` that add up over windows. */
export const COUNTED = ['received', 'deleted', 'read', ...ITEM_OUTCOMES] as const;

/** Notes that everything from there on is stored, in the transaction that stores it. */
export async function advanceRange(
  client: pg.ClientBase,
  runId: string,
  { dataType, fromMs, toMs }: Pick<RunRange, 'dataType' | 'fromMs' | 'toMs'>,
  { doneFromMs, doneItem }: Pick<RunRange, 'doneFromMs' | 'doneItem'>,
  counts: WindowCounts,
): Promise<void> {
  await client.query(
    `insert into pull_progress as p (run_id, data_type, from_at, to_at, done_from_at, outcome, windows,
                                     rejected_by_reason, done_item, ${COUNTED.join(', ')})
     values ($1, $2, to_timestamp($3::float8 / 1000), to_timestamp($4::float8 / 1000), to_timestamp($5::float8 / 1000),
             case when $5::float8 <= $3 then 'success' end, 1, $6, $7, ${COUNTED.map((_, at) => `$${at + 8}`).join(', ')})
     on conflict (run_id, data_type, from_at) do update
        set done_from_at = excluded.done_from_at, done_item = excluded.done_item, outcome = excluded.outcome, error = null, windows = p.windows + 1,
            rejected_by_reason = (
              select coalesce(jsonb_object_agg(reason, items), '{}')
                from (select reason, sum(items::bigint) as items
                        from (select * from jsonb_each_text(p.rejected_by_reason)
                              union all select * from jsonb_each_text(excluded.rejected_by_reason)) as both_of (reason, items)
                       group by reason) as summed
            ),
            ${COUNTED.map((name) => `${name} = p.${name} + excluded.${name}`).join(', ')}`,
    [
      runId,
      dataType,
      fromMs,
      toMs,
      doneFromMs,
      counts.rejectedByReason,
      doneItem ?? null,
      ...COUNTED.map((name) => counts[name]),
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

/** Records why a type is not read at the moment, for those who look at the run meanwhile. */
export async function noteFailure(pool: pg.Pool, runId: string, dataType: string, error: string): Promise<void> {
  await pool.query('update pull_progress set error = $3 where run_id = $1 and data_type = $2 and outcome is null', [
    runId,
    dataType,
    error,
  ]);
}

/** Ends one kind of data of a run as failed, with the last error that it had. */
export async function giveUpType(pool: pg.Pool, runId: string, dataType: string): Promise<void> {
  await pool.query(
    `update pull_progress set outcome = 'failed', error = coalesce(error, 'unavailable')
      where run_id = $1 and data_type = $2 and outcome is null`,
    [runId, dataType],
  );
}

/** Deletes the progress of a run that has ended: its metadata has all of it. */
export async function deleteProgress(database: pg.Pool | pg.ClientBase, runId: string): Promise<void> {
  await database.query('delete from pull_progress where run_id = $1', [runId]);
}
