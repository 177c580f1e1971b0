import { MS_PER_MINUTE, SLEEP_LENGTH } from '@healthd/model';
import type pg from 'pg';
import { lastOfEach } from '../events/event-store.js';
import { noCounts, type WriteCounts } from '../item-counts.js';
import type { WriteContext } from '../write-context.js';
import type { ChangedStage, SourceSpan } from './source-span.js';
import { type ArrivingStage, claimStages, INSERT_STAGES, STAGE_COLUMNS } from './stage-rows.js';

/**
 * Stores stages as they were written; equal ones are stored once.
 * @param fromFile they were read out of a file; a stage that came another way too is not a file's any more
 * @returns the stages around which sessions have to be assembled again
 */
export async function storeStages(
  { client, userKey }: WriteContext,
  stages: readonly ArrivingStage[],
  fromFile: boolean,
): Promise<{ counts: WriteCounts; changed: ChangedStage[] }> {
  const rows = lastOfEach(
    stages,
    ({ record, sourceId }) => `${sourceId} ${record.startMs} ${record.endMs} ${record.stage}`,
  );
  if (rows.length === 0) return { counts: noCounts(), changed: [] };
  const { rows: stored } = await client.query<{ source_id: number; from_ms: number; to_ms: number; inserted: boolean }>(
    INSERT_STAGES,
    [userKey, fromFile, ...STAGE_COLUMNS.values(rows)],
  );
  if (!fromFile) await claimStages(client, userKey, rows);
  const inserted = stored.filter((row) => row.inserted).length;
  return {
    counts: { inserted, updated: stored.length - inserted, unchanged: rows.length - stored.length },
    changed: stored.map(({ source_id, from_ms, to_ms, inserted: isNew }) => ({
      sourceId: source_id,
      fromMs: Math.round(from_ms),
      toMs: Math.round(to_ms),
      isNew,
    })),
  };
}

/**
 * Widens a span until no stage outside it is near enough to belong to a session inside it, or carries the vendor's id of
 * one. A fixed margin would cut sessions at its edge.
 */
export async function widenToWholeSessions(
  client: pg.ClientBase,
  userKey: number,
  span: SourceSpan,
  gapMinutes: number,
): Promise<SourceSpan> {
  const gapMs = gapMinutes * MS_PER_MINUTE;
  let { fromMs, toMs } = span;
  for (;;) {
    const { rows } = await client.query<{ from_ms: number | null; to_ms: number | null }>({
      name: 'records-widen-stages',
      text: `select extract(epoch from min(start_at))::float8 * 1000 as from_ms,
                    extract(epoch from max(end_at))::float8 * 1000 as to_ms
               from sleep_stage
              where user_key = $1 and source_id = $2
                and start_at between to_timestamp(($3::float8 - $5) / 1000) and to_timestamp(($4::float8 + $5) / 1000)
                and (end_at >= to_timestamp($3::float8 / 1000) and start_at <= to_timestamp($4::float8 / 1000)
                     or session_id in (
                       select session_id from sleep_stage
                        where user_key = $1 and source_id = $2 and session_id is not null
                          and end_at >= to_timestamp($3::float8 / 1000)
                          and start_at between to_timestamp(($3::float8 - $5) / 1000)
                                           and to_timestamp($4::float8 / 1000)))`,
      values: [userKey, span.sourceId, fromMs - gapMs, toMs + gapMs, SLEEP_LENGTH.maxMs],
    });
    const nextFromMs = Math.min(fromMs, Math.round(rows[0]?.from_ms ?? fromMs));
    const nextToMs = Math.max(toMs, Math.round(rows[0]?.to_ms ?? toMs));
    if (nextFromMs === fromMs && nextToMs === toMs) return { sourceId: span.sourceId, fromMs, toMs };
    fromMs = nextFromMs;
    toMs = nextToMs;
  }
}
