import type pg from 'pg';
import { inTransaction, lockUser } from '../../../platform/database/index.js';
import { DirtyDays } from '../../facts/dirty-days.js';
import { loadTimeline } from '../../facts/offsets/offset-days.js';
import { reassembleAll } from '../../facts/sleep/session-store.js';
import { forgetComparisons } from '../../facts/sources/sources.js';
import { loadContext } from '../load-context.js';
import { refreshRollUps } from '../roll-up-invalidations.js';
import { SLEEP_STAGES, WORKOUT_SERIES } from './change-counts.js';
import type { FileContents } from './file-contents.js';
import type { MissingSpan, Removing } from './missing-samples.js';

/** Stages or workouts that are looked at, or removed in one transaction, at once. */
const AT_ONCE = 2_000;

interface MissingRow {
  /** Exact, as the table has them. */
  startAt: string;
  endAt: string;
  variant: string;
  sourceId: number;
  startMs: number;
  endMs: number;
  offsetMinutes: number | null;
}

/**
 * As `removeMissingSamples` for workouts without an id, and for stages of sleep that only files brought; nights are
 * assembled again of what is left.
 */
export async function removeMissingSessions(
  pool: pg.Pool,
  contents: FileContents,
  span: MissingSpan,
  removing: Removing,
): Promise<void> {
  await removeMissingStages(pool, contents, span, removing);
  await removeMissingWorkouts(pool, contents, span, removing);
}

async function removeMissingStages(
  pool: pg.Pool,
  contents: FileContents,
  span: MissingSpan,
  removing: Removing,
): Promise<void> {
  const missing = {
    table: 'sleep_stage',
    variant: 's.stage',
    ofFile: 's.from_file',
    isStage: true,
    sourceIds: contents.sleepSources,
  };
  await removeInTurns(pool, contents, span, missing, removing, SLEEP_STAGES, async (client, rows) => {
    const context = await loadContext(client, span.userKey, span.sleepEndGapMinutes, spanOf(rows));
    const changed = rows.map(({ sourceId, startMs, endMs }) => ({ sourceId, fromMs: startMs, toMs: endMs }));
    const { wakeDates } = await reassembleAll(context, changed);
    await refreshRollUps(context, [{ dirtyDays: new DirtyDays(), nights: wakeDates }]);
  });
}

async function removeMissingWorkouts(
  pool: pg.Pool,
  contents: FileContents,
  span: MissingSpan,
  removing: Removing,
): Promise<void> {
  const missing = {
    table: 'workout',
    variant: 's.type',
    ofFile: 's.external_id is null',
    isStage: false,
    sourceIds: contents.workoutSources,
  };
  await removeInTurns(pool, contents, span, missing, removing, WORKOUT_SERIES, async () => undefined);
}

interface Missing {
  table: string;
  /** SQL of what distinguishes rows of one span. */
  variant: string;
  /** SQL condition of rows that came by files alone. */
  ofFile: string;
  isStage: boolean;
  sourceIds: ReadonlySet<number>;
}

async function removeInTurns(
  pool: pg.Pool,
  contents: FileContents,
  span: MissingSpan,
  missing: Missing,
  { isDryRun, changes, signal }: Removing,
  series: string,
  refresh: (client: pg.ClientBase, removed: MissingRow[]) => Promise<void>,
): Promise<void> {
  for await (const portion of portionsOf(contents.client, span, missing)) {
    signal?.throwIfAborted();
    const gone = isDryRun
      ? portion
      : await inTransaction(pool, async (client) => {
          await lockUser(client, span.userKey);
          const removed = await remove(client, span.userKey, missing, portion);
          if (removed.length > 0) {
            await refresh(client, removed);
            await forgetComparisons(client, span.userKey);
          }
          return removed;
        });
    if (gone.length === 0) continue;
    const { fromMs, toMs } = spanOf(gone);
    const timeline = await loadTimeline(contents.client, span.userKey, fromMs, toMs);
    for (const { endMs, offsetMinutes } of gone) {
      changes.add(series, timeline.localDateOf(endMs, offsetMinutes ?? undefined), 'gone');
    }
  }
}

/** What is missing, in the order of the table's key; memory does not grow with it. */
async function* portionsOf(
  client: pg.ClientBase,
  span: MissingSpan,
  missing: Missing,
): AsyncGenerator<MissingRow[], void> {
  if (missing.sourceIds.size === 0) return;
  let after: After = { sourceId: 0, startAt: '-infinity', endAt: '-infinity', variant: '' };
  for (;;) {
    const portion = await findMissing(client, span, missing, after);
    const last = portion.at(-1);
    if (!last) return;
    yield portion;
    if (portion.length < AT_ONCE) return;
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

/** @returns those that were still there, and a file's */
async function remove(
  client: pg.ClientBase,
  userKey: number,
  missing: Missing,
  rows: readonly MissingRow[],
): Promise<MissingRow[]> {
  const removed = await client.query<MissingRow>(
    `delete from ${missing.table} s
      using unnest($2::int[], $3::timestamptz[], $4::timestamptz[], $5::text[]) as gone (source_id, start_at, end_at, variant)
      where s.user_key = $1 and s.source_id = gone.source_id and s.start_at = gone.start_at and s.end_at = gone.end_at
        and ${missing.variant} = gone.variant and ${missing.ofFile}
     returning ${columnsOf(missing)}`,
    [
      userKey,
      rows.map(({ sourceId }) => sourceId),
      rows.map(({ startAt }) => startAt),
      rows.map(({ endAt }) => endAt),
      rows.map(({ variant }) => variant),
    ],
  );
  return removed.rows;
}

function spanOf(rows: readonly MissingRow[]): { fromMs: number; toMs: number } {
  let fromMs = Number.POSITIVE_INFINITY;
  let toMs = Number.NEGATIVE_INFINITY;
  for (const { startMs, endMs } of rows) {
    fromMs = Math.min(fromMs, startMs);
    toMs = Math.max(toMs, endMs);
  }
  return { fromMs, toMs };
}
