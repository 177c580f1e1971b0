import type { TimeRange } from '@healthd/providers';
import type pg from 'pg';
import { statement } from '../../platform/database/index.js';

/** Outcome of a range of one data type. */
export type RangeOutcome = 'success' | 'failed' | 'skipped';

/** A range that a run reads, from its end backwards. */
export interface RunRange {
  dataType: string;
  fromMs: number;
  toMs: number;
  /** Everything from this time to `toMs` is stored. */
  doneFromMs: number;
  /** ID of the last stored item within the millisecond before `doneFromMs`. Items up to this ID are stored too. */
  doneItem?: string | undefined;
  /** IDs of the items to read. Default: all items. */
  items?: readonly string[] | undefined;
}

/** A range to read, or a range that is skipped or fails with a reason. */
export interface PlannedRange extends TimeRange {
  dataType: string;
  skipped?: string;
  /** Reason why the range can never be read. */
  failed?: string;
  /** IDs of the items to read. Default: all items. */
  items?: readonly string[];
}

/** Stores the ranges that a run will read. */
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

const nextRangeStatement = statement(
  'runs-next-range',
  `select data_type as "dataType", done_item as "doneItem", only_items as items,
          extract(epoch from from_at)::float8 * 1000 as "fromMs", extract(epoch from to_at)::float8 * 1000 as "toMs",
          extract(epoch from done_from_at)::float8 * 1000 as "doneFromMs"
     from pull_progress where run_id = $1 and outcome is null and data_type <> all ($2::text[])
    order by done_from_at desc, array_position($3::text[], data_type), from_at desc limit 1`,
);

/** Returns the range whose remaining data is the newest. Omits ranges of deferred types. */
export async function nextRange(
  pool: pg.Pool,
  runId: string,
  { order, deferred }: { order: readonly string[]; deferred: Iterable<string> },
): Promise<RunRange | undefined> {
  const { rows } = await pool.query<RunRange & { doneItem: string | null; items: string[] | null }>(
    nextRangeStatement([runId, [...deferred], order]),
  );
  const row = rows[0];
  if (!row) return undefined;
  const whole = (ms: number) => Math.round(ms);
  const times = { fromMs: whole(row.fromMs), toMs: whole(row.toMs), doneFromMs: whole(row.doneFromMs) };
  return { dataType: row.dataType, ...times, doneItem: row.doneItem ?? undefined, items: row.items ?? undefined };
}
