import { pushedIdKey, type SleepStage, type SleepStageRecord } from '@healthd/model';
import type pg from 'pg';
import { type BatchColumn, BatchColumns } from '../../../platform/database/index.js';
import { FIRST_INSTANT_MS, LAST_INSTANT_MS } from '../interval-faults.js';
import { storableText } from '../storable-text.js';
import type { SourceSpan } from './source-span.js';

/** A stage of a batch. */
export interface ArrivingStage {
  record: SleepStageRecord;
  sourceId: number;
  /** Position in the batch. */
  index: number;
}

const KEY_COLUMNS: BatchColumn<ArrivingStage>[] = [
  { name: 'source_id', type: 'int', value: ({ sourceId }) => sourceId },
  { name: 'start_at', type: 'float8', sql: 'to_timestamp(start_at / 1000)', value: ({ record }) => record.startMs },
  { name: 'end_at', type: 'float8', sql: 'to_timestamp(end_at / 1000)', value: ({ record }) => record.endMs },
  { name: 'stage', type: 'text', value: ({ record }) => record.stage },
];

const PUSHED_ID: BatchColumn<ArrivingStage> = {
  name: 'pushed_id',
  type: 'bigint',
  value: ({ record }) => (record.pushedId === undefined ? undefined : pushedIdKey(record.pushedId)),
};

/** What says which stage of a user it is. */
export const STAGE_KEY = new BatchColumns(KEY_COLUMNS);

/** The columns of `sleep_stage`, for statements on many rows. */
export const STAGE_COLUMNS = new BatchColumns<ArrivingStage>([
  ...KEY_COLUMNS,
  { name: 'offset_minutes', type: 'smallint', value: ({ record }) => record.offsetMinutes },
  {
    name: 'session_id',
    type: 'text',
    value: ({ record }) => (record.sessionId === undefined ? undefined : storableText(record.sessionId)),
  },
  PUSHED_ID,
]);

/** What says which stage it is, and the id under which it was pushed. */
const PUSHED_STAGES = new BatchColumns([...KEY_COLUMNS, PUSHED_ID]);

/** Stores stages; gives back those that are new or say more than before. */
export const INSERT_STAGES = `
insert into sleep_stage as stored (user_key, from_file, ${STAGE_COLUMNS.names})
select $1, $2, ${STAGE_COLUMNS.selected} from ${STAGE_COLUMNS.unnested(3)}
on conflict (user_key, source_id, start_at, end_at, stage)
do update set offset_minutes = coalesce(excluded.offset_minutes, stored.offset_minutes),
              session_id = coalesce(excluded.session_id, stored.session_id)
 where stored.offset_minutes is distinct from coalesce(excluded.offset_minutes, stored.offset_minutes)
    or stored.session_id is distinct from coalesce(excluded.session_id, stored.session_id)
returning source_id, extract(epoch from start_at)::float8 * 1000 as from_ms,
          extract(epoch from end_at)::float8 * 1000 as to_ms, xmax = 0 as inserted`;

/** Notes that stages which files brought came another way too, and the ids under which they were pushed last. */
export async function claimStages(
  client: pg.ClientBase,
  userKey: number,
  rows: readonly ArrivingStage[],
): Promise<void> {
  await client.query(
    `update sleep_stage stored set from_file = false, pushed_id = coalesce(fresh.pushed_id, stored.pushed_id)
       from ${PUSHED_STAGES.unnested(2)}
      where stored.user_key = $1 and ${STAGE_KEY.matched('stored')}
        and (stored.from_file or stored.pushed_id is distinct from coalesce(fresh.pushed_id, stored.pushed_id))`,
    [userKey, ...PUSHED_STAGES.values(rows)],
  );
}

/** One stage of one source, [startMs, endMs). */
export interface StageInterval {
  stage: SleepStage;
  startMs: number;
  endMs: number;
  offsetMinutes?: number;
  /** The vendor's id of the session that it belongs to. */
  sessionId?: string;
}

/** All stages that start in a span. */
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
    [userKey, span.sourceId, Math.max(span.fromMs, FIRST_INSTANT_MS), Math.min(span.toMs, LAST_INSTANT_MS)],
  );
  return rows.map(({ stage, start_ms, end_ms, offset_minutes, session_id }) => ({
    stage,
    startMs: Math.round(start_ms),
    endMs: Math.round(end_ms),
    offsetMinutes: offset_minutes ?? undefined,
    sessionId: session_id ?? undefined,
  }));
}
