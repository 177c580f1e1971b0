import { MS_PER_MINUTE, SLEEP_LENGTH, type SleepStage, type SleepStageRecord } from '@healthd/model';
import type pg from 'pg';
import { type BatchColumn, BatchColumns } from '../../../platform/database/index.js';
import { lastOfEach } from '../events/event-store.js';
import { storableText } from '../storable-text.js';
import type { WriteContext } from '../write-context.js';
import { noCounts, type WriteCounts } from '../write-result.js';
import type { StageInterval } from './assembly.js';
import type { ChangedStage, SourceSpan } from './source-span.js';

/** A stage of a batch. */
export interface ArrivingStage {
  record: SleepStageRecord;
  sourceId: number;
}

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
    INSERT,
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

const KEY_COLUMNS: BatchColumn<ArrivingStage>[] = [
  { name: 'source_id', type: 'int', value: ({ sourceId }) => sourceId },
  { name: 'start_at', type: 'float8', sql: 'to_timestamp(start_at / 1000)', value: ({ record }) => record.startMs },
  { name: 'end_at', type: 'float8', sql: 'to_timestamp(end_at / 1000)', value: ({ record }) => record.endMs },
  { name: 'stage', type: 'text', value: ({ record }) => record.stage },
];

/** What says which stage of a user it is. */
const STAGE_KEY = new BatchColumns(KEY_COLUMNS);

/** The columns of `sleep_stage`, for statements on many rows. */
const STAGE_COLUMNS = new BatchColumns<ArrivingStage>([
  ...KEY_COLUMNS,
  { name: 'offset_minutes', type: 'smallint', value: ({ record }) => record.offsetMinutes },
  {
    name: 'session_id',
    type: 'text',
    value: ({ record }) => (record.sessionId === undefined ? undefined : storableText(record.sessionId)),
  },
]);

const INSERT = `
insert into sleep_stage as stored (user_key, from_file, ${STAGE_COLUMNS.names})
select $1, $2, ${STAGE_COLUMNS.selected} from ${STAGE_COLUMNS.unnested(3)}
on conflict (user_key, source_id, start_at, end_at, stage)
do update set offset_minutes = coalesce(excluded.offset_minutes, stored.offset_minutes),
              session_id = coalesce(excluded.session_id, stored.session_id)
 where stored.offset_minutes is distinct from coalesce(excluded.offset_minutes, stored.offset_minutes)
    or stored.session_id is distinct from coalesce(excluded.session_id, stored.session_id)
returning source_id, extract(epoch from start_at)::float8 * 1000 as from_ms,
          extract(epoch from end_at)::float8 * 1000 as to_ms, xmax = 0 as inserted`;

/** Notes that stages which files brought came another way too. */
async function claimStages(client: pg.ClientBase, userKey: number, rows: readonly ArrivingStage[]): Promise<void> {
  await client.query(
    `update sleep_stage stored set from_file = false from ${STAGE_KEY.unnested(2)}
      where stored.user_key = $1 and stored.from_file and ${STAGE_KEY.matched('stored')}`,
    [userKey, ...STAGE_KEY.values(rows)],
  );
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

/** All stages of a widened span. */
export async function loadStages(client: pg.ClientBase, userKey: number, span: SourceSpan): Promise<StageInterval[]> {
  const { rows } = await client.query<{
    stage: SleepStage;
    start_ms: number;
    end_ms: number;
    offset_minutes: number | null;
    session_id: string | null;
  }>(
    `select stage, extract(epoch from start_at)::float8 * 1000 as start_ms,
            extract(epoch from end_at)::float8 * 1000 as end_ms, offset_minutes, session_id
       from sleep_stage
      where user_key = $1 and source_id = $2
        and start_at between to_timestamp($3::float8 / 1000) and to_timestamp($4::float8 / 1000)`,
    [userKey, span.sourceId, span.fromMs, span.toMs],
  );
  return rows.map(({ stage, start_ms, end_ms, offset_minutes, session_id }) => ({
    stage,
    startMs: Math.round(start_ms),
    endMs: Math.round(end_ms),
    offsetMinutes: offset_minutes ?? undefined,
    sessionId: session_id ?? undefined,
  }));
}
