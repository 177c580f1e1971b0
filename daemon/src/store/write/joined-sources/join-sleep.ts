import type pg from 'pg';
import { CHANGE } from '../../facts/change.js';
import { addChangedRows, type ChangedRow, changedColumns } from '../../facts/changes.js';
import { DirtyDays } from '../../facts/dirty-days.js';
import { reassemble } from '../plan-sleep.js';
import { joinSpans } from '../../facts/sleep/source-span.js';
import { loadContext } from '../load-context.js';
import { refreshRollUps } from '../roll-up-invalidations.js';
import type { SourcePair } from './pair.js';

/** Number of stages moved per transaction. */
const AT_ONCE = 2_000;

/**
 * Moves a chunk of the bundled source's sleep stages to the named source and reassembles the nights of both sources.
 * Nights that only the bundled source has keep their ids.
 * @returns true if stages were moved
 */
export async function joinStages(
  client: pg.ClientBase,
  userKey: number,
  { namedId, bundledId }: SourcePair,
  gapMinutes: number,
): Promise<boolean> {
  const { rows } = await client.query<{ from_ms: number; to_ms: number }>(MOVE_STAGES, [userKey, namedId, bundledId]);
  if (rows.length === 0) return false;
  const spans = joinSpans(rows.map(({ from_ms, to_ms }) => ({ sourceId: namedId, fromMs: from_ms, toMs: to_ms })));
  const [first, last] = [spans[0]?.fromMs as number, spans.at(-1)?.toMs as number];
  const context = await loadContext(client, userKey, gapMinutes, { fromMs: first, toMs: last });
  const nights = new Set<string>();
  for (const span of spans) {
    const { rows: kept } = await client.query<{ wake_date: string } & ChangedRow>(KEEP_NIGHTS, [
      userKey,
      namedId,
      bundledId,
      span.fromMs,
      span.toMs,
    ]);
    addChangedRows(client, userKey, 'sleep_session', CHANGE.corrected, kept);
    for (const { wake_date } of kept) nights.add(wake_date);
    for (const sourceId of [bundledId, namedId]) {
      const wakeDates = await reassemble(context, [{ ...span, sourceId }], CHANGE.replaced);
      for (const date of wakeDates) nights.add(date);
    }
  }
  await refreshRollUps(context, [{ dirtyDays: new DirtyDays(), nights }]);
  return true;
}

const MOVE_STAGES = `
with bundled as (
  delete from sleep_stage s
   using (select start_at, end_at, stage from sleep_stage where user_key = $1 and source_id = $3
           order by start_at, end_at, stage limit ${AT_ONCE}) oldest
   where s.user_key = $1 and s.source_id = $3 and s.start_at = oldest.start_at and s.end_at = oldest.end_at
     and s.stage = oldest.stage
  returning s.*
), moved as (
  insert into sleep_stage as stored (user_key, source_id, start_at, end_at, stage, offset_minutes, session_id, from_file,
                                     pushed_id)
  select user_key, $2, start_at, end_at, stage, offset_minutes, session_id, from_file, pushed_id from bundled
  on conflict (user_key, source_id, start_at, end_at, stage)
  do update set offset_minutes = coalesce(stored.offset_minutes, excluded.offset_minutes),
                session_id = coalesce(stored.session_id, excluded.session_id),
                from_file = stored.from_file and excluded.from_file,
                pushed_id = coalesce(stored.pushed_id, excluded.pushed_id)
)
select extract(epoch from start_at)::float8 * 1000 as from_ms, extract(epoch from end_at)::float8 * 1000 as to_ms
  from bundled`;

/** Moves nights without a match in the named source. Shared nights keep the named source's id. */
const KEEP_NIGHTS = `
update sleep_session s set source_id = $2
 where s.user_key = $1 and s.source_id = $3 and s.assembled
   and s.start_at <= to_timestamp($5::float8 / 1000) and s.end_at >= to_timestamp($4::float8 / 1000)
   and not exists (
     select from sleep_session named
      where named.user_key = $1 and named.source_id = $2 and named.assembled
        and (named.start_at < s.end_at and named.end_at > s.start_at or named.external_id = s.external_id))
returning s.wake_date::text, ${changedColumns('sleep_session')}`;
