import type pg from 'pg';
import { CHANGE } from '../../facts/change.js';
import { addChangedRows, type ChangedRow, changedColumns } from '../../facts/changes.js';
import type { MissingSpan } from './missing-samples.js';

/** Number of stages or workouts per read or deleting transaction. */
const AT_ONCE = 2_000;

/** A stage or workout from an earlier file that the file lacks. */
export interface MissingRow {
  /** Exact stored value. */
  startAt: string;
  endAt: string;
  variant: string;
  sourceId: number;
  startMs: number;
  endMs: number;
  offsetMinutes: number | null;
}

/** Rows to search. */
export interface Missing {
  table: 'sleep_stage' | 'workout';
  /** SQL expression that distinguishes rows of one span. */
  variant: string;
  /** SQL condition for rows that only files contain. */
  ofFile: string;
  isStage: boolean;
  sourceIds: ReadonlySet<number>;
}

/** Yields missing rows in key order, with constant memory. */
export async function* chunksOf(
  client: pg.ClientBase,
  span: MissingSpan,
  missing: Missing,
): AsyncGenerator<MissingRow[], void> {
  if (missing.sourceIds.size === 0) return;
  let after: After = { sourceId: 0, startAt: '-infinity', endAt: '-infinity', variant: '' };
  for (;;) {
    const batch = await findMissing(client, span, missing, after);
    const last = batch.at(-1);
    if (!last) return;
    yield batch;
    if (batch.length < AT_ONCE) return;
    after = last;
  }
}

type After = Pick<MissingRow, 'sourceId' | 'startAt' | 'endAt' | 'variant'>;

/** Columns of {@link MissingRow}. */
const columnsOf = ({ variant }: Missing) => `s.source_id as "sourceId", s.start_at::text as "startAt",
  s.end_at::text as "endAt", ${variant} as variant, s.offset_minutes as "offsetMinutes",
  extract(epoch from s.start_at)::float8 * 1000 as "startMs", extract(epoch from s.end_at)::float8 * 1000 as "endMs"`;

async function findMissing(
  client: pg.ClientBase,
  { userKey, fromMs, toMs }: MissingSpan,
  missing: Missing,
  after: After,
): Promise<MissingRow[]> {
  const { rows } = await client.query<MissingRow>(
    `select ${columnsOf(missing)} from ${missing.table} s
      where s.user_key = $1 and s.source_id = any ($2::int[]) and ${missing.ofFile}
        and s.start_at >= to_timestamp($3::float8 / 1000) and s.start_at < to_timestamp($4::float8 / 1000)
        and (s.source_id, s.start_at, s.end_at, ${missing.variant}) > ($6::int, $7::timestamptz, $8::timestamptz, $9::text)
        and not exists (select from file_session f
                         where f.is_stage = $5 and f.source_id = s.source_id and f.variant = ${missing.variant}
                           and f.start_second = floor(extract(epoch from s.start_at)::float8)
                           and f.end_second = floor(extract(epoch from s.end_at)::float8))
      order by s.source_id, s.start_at, s.end_at, ${missing.variant} limit ${AT_ONCE}`,
    [
      userKey,
      [...missing.sourceIds],
      fromMs,
      toMs,
      missing.isStage,
      after.sourceId,
      after.startAt,
      after.endAt,
      after.variant,
    ],
  );
  return rows;
}

/** @returns rows that were still stored and still from files only */
export async function remove(
  client: pg.ClientBase,
  userKey: number,
  missing: Missing,
  rows: readonly MissingRow[],
): Promise<MissingRow[]> {
  const isWorkout = missing.table === 'workout';
  const { rows: removed } = await client.query<MissingRow & ChangedRow>(
    `delete from ${missing.table} s
      using unnest($2::int[], $3::timestamptz[], $4::timestamptz[], $5::text[]) as gone (source_id, start_at, end_at, variant)
      where s.user_key = $1 and s.source_id = gone.source_id and s.start_at = gone.start_at and s.end_at = gone.end_at
        and ${missing.variant} = gone.variant and ${missing.ofFile}
     returning ${columnsOf(missing)}${isWorkout ? `, ${changedColumns('workout')}` : ''}`,
    [
      userKey,
      rows.map(({ sourceId }) => sourceId),
      rows.map(({ startAt }) => startAt),
      rows.map(({ endAt }) => endAt),
      rows.map(({ variant }) => variant),
    ],
  );
  if (isWorkout) addChangedRows(client, userKey, 'workout', CHANGE.replaced, removed);
  return removed;
}
