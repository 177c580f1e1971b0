import { ITEM_LIMITS, MS_PER_DAY, type Rejected, TOO_MANY } from '@healthd/model';
import type pg from 'pg';
import { storableText } from '../storable-text.js';
import type { WriteContext } from '../write-context.js';
import { type ArrivingStage, STAGE_KEY } from './stage-rows.js';

/** Stages and vendors' ids of one night of a source, stored and arriving. */
interface Night {
  sourceId: number;
  fromMs: number;
  rows: ArrivingStage[];
  stages: number;
  sessions: number;
}

/** Sorts out the stages beyond the limits of a night, which begins at noon UTC. Stages that are stored already stay. */
export async function withinLimits(
  { client, userKey, turns }: Pick<WriteContext, 'client' | 'userKey' | 'turns'>,
  rows: readonly ArrivingStage[],
): Promise<{ kept: readonly ArrivingStage[]; rejected: Rejected[] }> {
  const crowded = (await nightsOf(client, userKey, rows)).filter(
    ({ stages, sessions }) => stages > ITEM_LIMITS.stagesOfNight || sessions > ITEM_LIMITS.sessionsOfNight,
  );
  if (crowded.length === 0) return { kept: rows, rejected: [] };
  const arriving = crowded.flatMap((night) => night.rows);
  const stored = await storedAmong(client, userKey, arriving);
  await turns.yieldIfLong();
  const sessions = await sessionsOf(client, userKey, crowded);
  const dropped = new Map<ArrivingStage, string>();
  for (const [at, night] of crowded.entries()) {
    const known = sessions[at] as Set<string>;
    let room = ITEM_LIMITS.stagesOfNight - (night.stages - night.rows.length);
    for (const row of night.rows) {
      const id = row.record.sessionId && storableText(row.record.sessionId);
      const isNewSession = id !== undefined && !known.has(id);
      if (isNewSession && known.size >= ITEM_LIMITS.sessionsOfNight) {
        dropped.set(row, `${ITEM_LIMITS.sessionsOfNight} sessions of a night`);
      } else if (!stored.has(row) && room <= 0) {
        dropped.set(row, `${ITEM_LIMITS.stagesOfNight} stages of a night`);
      } else {
        if (isNewSession) known.add(id);
        if (!stored.has(row)) room--;
      }
    }
  }
  return {
    kept: rows.filter((row) => !dropped.has(row)),
    rejected: [...dropped].map(
      ([{ index }, detail]): Rejected => ({
        kind: 'rejected',
        collection: 'sleep_stages',
        index,
        field: 'start',
        code: TOO_MANY,
        detail,
      }),
    ),
  };
}

/** The nights of arriving stages; a stage that is stored already counts twice here. */
async function nightsOf(client: pg.ClientBase, userKey: number, rows: readonly ArrivingStage[]): Promise<Night[]> {
  const nights = new Map<string, Night & { ids: Set<string> }>();
  for (const row of rows) {
    const { sourceId, record } = row;
    const fromMs = Math.floor((record.startMs - MS_PER_DAY / 2) / MS_PER_DAY) * MS_PER_DAY + MS_PER_DAY / 2;
    const key = `${sourceId} ${fromMs}`;
    let night = nights.get(key);
    if (!night) {
      night = { sourceId, fromMs, rows: [], stages: 0, sessions: 0, ids: new Set() };
      nights.set(key, night);
    }
    night.rows.push(row);
    if (record.sessionId !== undefined) night.ids.add(record.sessionId);
  }
  const found = [...nights.values()];
  const { rows: counts } = await client.query<{ stages: number; sessions: number }>({
    name: 'records-count-stages',
    text: `select counted.stages, counted.sessions from ${UNNESTED} cross join lateral (
             select count(*)::int as stages, count(distinct session_id)::int as sessions from sleep_stage
              where ${OF_NIGHT}) counted
            order by position`,
    values: bounds(userKey, found),
  });
  for (const [at, night] of found.entries()) {
    night.stages = (counts[at]?.stages ?? 0) + night.rows.length;
    night.sessions = (counts[at]?.sessions ?? 0) + night.ids.size;
  }
  return found;
}

/** The vendors' ids that each of some nights holds. */
async function sessionsOf(client: pg.ClientBase, userKey: number, nights: readonly Night[]): Promise<Set<string>[]> {
  const { rows } = await client.query<{ position: number; id: string }>(
    `select position::int, found.session_id as id from ${UNNESTED} cross join lateral (
       select distinct session_id from sleep_stage where ${OF_NIGHT} and session_id is not null) found`,
    bounds(userKey, nights),
  );
  const sessions = nights.map(() => new Set<string>());
  for (const { position, id } of rows) sessions[position - 1]?.add(id);
  return sessions;
}

/** The arriving stages that are stored already. */
async function storedAmong(
  client: pg.ClientBase,
  userKey: number,
  rows: readonly ArrivingStage[],
): Promise<Set<ArrivingStage>> {
  const keyOf = (sourceId: number, startMs: number, endMs: number, stage: string) =>
    `${sourceId} ${Math.round(startMs)} ${Math.round(endMs)} ${stage}`;
  const { rows: found } = await client.query<{ source_id: number; start_ms: number; end_ms: number; stage: string }>(
    `select stored.source_id, extract(epoch from stored.start_at)::float8 * 1000 as start_ms,
            extract(epoch from stored.end_at)::float8 * 1000 as end_ms, stored.stage
       from ${STAGE_KEY.unnested(2)} join sleep_stage stored on stored.user_key = $1 and ${STAGE_KEY.matched('stored')}`,
    [userKey, ...STAGE_KEY.values(rows)],
  );
  const keys = new Set(found.map((row) => keyOf(row.source_id, row.start_ms, row.end_ms, row.stage)));
  return new Set(
    rows.filter(({ sourceId, record }) => keys.has(keyOf(sourceId, record.startMs, record.endMs, record.stage))),
  );
}

const UNNESTED = 'unnest($2::int[], $3::float8[]) with ordinality as night (source_id, from_ms, position)';
const OF_NIGHT = `user_key = $1 and sleep_stage.source_id = night.source_id
                and start_at >= to_timestamp(night.from_ms / 1000)
                and start_at < to_timestamp((night.from_ms + ${MS_PER_DAY}) / 1000)`;

function bounds(userKey: number, nights: readonly Night[]) {
  return [userKey, nights.map(({ sourceId }) => sourceId), nights.map(({ fromMs }) => fromMs)];
}
