import { MS_PER_DAY, type SleepStage } from '@healthd/model';
import type pg from 'pg';
import { type BatchColumn, BatchColumns, ONE_LOOK_EACH } from '../../../platform/database/index.js';
import { FIRST_INSTANT_MS, LAST_INSTANT_MS } from '../interval-errors.js';
import type { SourceSpan } from './source-span.js';
import type { StageInterval, StageRow, StoredNight } from './stages.js';

type StageKey = Pick<StageRow, 'sourceId' | 'startMs' | 'endMs' | 'stage'>;

const KEY_COLUMNS: BatchColumn<StageKey>[] = [
  { name: 'source_id', type: 'int', value: ({ sourceId }) => sourceId },
  { name: 'start_at', type: 'float8', sql: 'to_timestamp(start_at / 1000)', value: ({ startMs }) => startMs },
  { name: 'end_at', type: 'float8', sql: 'to_timestamp(end_at / 1000)', value: ({ endMs }) => endMs },
  { name: 'stage', type: 'text', value: ({ stage }) => stage },
];

const STAGE_KEY = new BatchColumns(KEY_COLUMNS);

const STAGE_COLUMNS = new BatchColumns<StageRow>([
  ...KEY_COLUMNS,
  { name: 'offset_minutes', type: 'smallint', value: ({ offsetMinutes }) => offsetMinutes },
  { name: 'session_id', type: 'text', value: ({ sessionId }) => sessionId },
  { name: 'from_file', type: 'boolean', value: ({ fromFile }) => String(fromFile) },
  { name: 'pushed_id', type: 'bigint', value: ({ pushedKey }) => pushedKey },
]);

const WRITE_STAGES = `
insert into sleep_stage (user_key, ${STAGE_COLUMNS.names})
select $1, ${STAGE_COLUMNS.selected} from ${STAGE_COLUMNS.unnested(2)}
on conflict (user_key, source_id, start_at, end_at, stage)
do update set ${STAGE_COLUMNS.assigned(['source_id', 'start_at', 'end_at', 'stage'])}`;

/**
 * Number of rows per statement. Limits a statement's size, so that building its parameters does not block the event
 * loop for long.
 */
const ROWS_AT_ONCE = 2_000;

/** Inserts stages, or updates the stages with their keys. */
export async function writeStages(client: pg.ClientBase, userKey: number, rows: readonly StageRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    await client.query(WRITE_STAGES, [userKey, ...STAGE_COLUMNS.values(rows.slice(from, from + ROWS_AT_ONCE))]);
  }
}

interface StoredStageRow {
  source_id: number;
  stage: SleepStage;
  start_ms: number;
  end_ms: number;
  offset_minutes: number | null;
  session_id: string | null;
  from_file: boolean;
  pushed_key: string | null;
}

/** Finds the stored versions of stages. */
export async function findStages(
  client: pg.ClientBase,
  userKey: number,
  stages: readonly StageKey[],
): Promise<StageRow[]> {
  const found: StageRow[] = [];
  for (let from = 0; from < stages.length; from += ROWS_AT_ONCE) {
    const { rows } = await client.query<StoredStageRow>({
      name: 'records-find-stages',
      text: FIND_STAGES,
      values: [userKey, ...STAGE_KEY.values(stages.slice(from, from + ROWS_AT_ONCE))],
    });
    for (const row of rows) {
      found.push({
        sourceId: row.source_id,
        stage: row.stage,
        startMs: Math.round(row.start_ms),
        endMs: Math.round(row.end_ms),
        offsetMinutes: row.offset_minutes ?? undefined,
        sessionId: row.session_id ?? undefined,
        fromFile: row.from_file,
        pushedKey: row.pushed_key ?? undefined,
      });
    }
  }
  return found;
}

// Looks up each stage in the index. A join may read all stages of the user instead.
const FIND_STAGES = `
select stored.source_id, stored.stage, extract(epoch from stored.start_at)::float8 * 1000 as start_ms,
       extract(epoch from stored.end_at)::float8 * 1000 as end_ms, stored.offset_minutes, stored.session_id,
       stored.from_file, stored.pushed_id::text as pushed_key
  from ${STAGE_KEY.unnested(2)}
 cross join lateral (
   select * from sleep_stage s where s.user_key = $1 and ${STAGE_KEY.matched('s')} ${ONE_LOOK_EACH}) stored`;

/** Loads the number of stages and the vendors' session ids of nights. */
export async function loadNights(
  client: pg.ClientBase,
  userKey: number,
  nights: readonly Pick<StoredNight, 'sourceId' | 'fromMs'>[],
): Promise<StoredNight[]> {
  const { rows } = await client.query<{ stages: number; ids: string[] | null }>({
    name: 'records-count-stages',
    text: `select counted.stages, counted.ids
             from unnest($2::int[], $3::float8[]) with ordinality as night (source_id, from_ms, position)
            cross join lateral (
              select count(*)::int as stages, array_agg(distinct session_id) filter (where session_id is not null) as ids
                from sleep_stage
               where user_key = $1 and sleep_stage.source_id = night.source_id
                 and start_at >= to_timestamp(night.from_ms / 1000)
                 and start_at < to_timestamp((night.from_ms + ${MS_PER_DAY}) / 1000)) counted
            order by position`,
    values: [userKey, nights.map(({ sourceId }) => sourceId), nights.map(({ fromMs }) => fromMs)],
  });
  return nights.map(({ sourceId, fromMs }, at) => ({
    sourceId,
    fromMs,
    stages: rows[at]?.stages ?? 0,
    sessionIds: rows[at]?.ids ?? [],
  }));
}

/** Loads all stages that start in a span. */
export async function loadStages(client: pg.ClientBase, userKey: number, span: SourceSpan): Promise<StageInterval[]> {
  const { rows } = await client.query<Omit<StoredStageRow, 'source_id' | 'from_file' | 'pushed_key'>>(
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
