import { hashOfId, type PushedDeletion, type PushedKinds, pushedIdKey } from '@healthd/model';
import {
  findPushedSamples,
  findUnlistedSamples,
  type PushedSample,
  type PushedStretch,
} from '../facts/pushed/pushed-samples.js';
import { SLEEP_ITEM, WORKOUT_ITEM } from '../facts/pushed/pushed-tombstones.js';
import { storableText } from '../facts/storable-text.js';
import type { BatchContext } from './load-context.js';
import { WORKOUT_FACTS, type WorkoutFactsRow } from './workout-readings.js';

export interface IdEntry {
  id: string;
  key: string;
  kinds?: PushedKinds;
}

export interface RangeEntry {
  kinds: PushedKinds;
  startMs: number;
  endMs: number;
  /** Undefined if the source is not stored. */
  sourceId: number | undefined;
}

/** A span of one source's sleep or workouts. */
type SessionStretch = Omit<PushedStretch, 'typeId'>;

export interface FoundStage {
  sourceId: number;
  startMs: number;
  endMs: number;
  stage: string;
  sessionId: string | null;
  pushedId: string | null;
}

export type FoundWorkout = WorkoutFactsRow & { id: string; pushedId: string | null };

/**
 * Returns one entry per id and set of types, because items of several types may share an id. An id without types covers
 * all types.
 */
export function idEntries(deletions: readonly PushedDeletion[]): IdEntry[] {
  const entries = deletions.flatMap((deletion): IdEntry[] =>
    'id' in deletion ? [{ ...deletion, key: pushedIdKey(deletion.id) }] : [],
  );
  const untyped = new Set(entries.flatMap(({ key, kinds }) => (kinds === undefined ? [key] : [])));
  const needed = entries.filter(({ key, kinds }) => kinds === undefined || !untyped.has(key));
  return distinct(needed, ({ key, kinds }) => (kinds === undefined ? key : `${key} ${typeIdsOf(kinds).join(' ')}`));
}

/** Finds the items with the ids. @returns also the positions of ids with matches */
export async function findByIds(
  { client, userKey }: BatchContext,
  sourceIds: readonly number[],
  unlisted: readonly { source_id: number }[],
  ids: readonly IdEntry[],
) {
  const entries = new Set<number>();
  if (ids.length === 0) return { samples: [], stages: [], workouts: [], entries };
  const take = <Row extends { at: number }>(rows: readonly Row[], matches: (kinds: PushedKinds, row: Row) => boolean) =>
    rows.filter((row) => {
      const kinds = ids[row.at]?.kinds;
      const isMatch = kinds === undefined || matches(kinds, row);
      if (isMatch) entries.add(row.at);
      return isMatch;
    });
  const isSeries = (kinds: PushedKinds, { typeId }: PushedSample) =>
    typeof kinds === 'object' && kinds.typeIds.includes(typeId);
  const keys = ids.map(({ key }) => key);
  const texts = ids.map(({ id }) => storableText(id));
  const samples = take(await findPushedSamples(client, userKey, sourceIds, keys), isSeries);
  const workouts: (FoundWorkout & { at: number })[] = [];
  const stages: (FoundStage & { at: number })[] = [];
  // Uses two statements for workouts and two for stages, because a join on either of two columns would compare every
  // row with every id.
  for (const [column, type, values] of [
    ['pushed_id', 'bigint', keys],
    ['external_id', 'text', texts],
  ] as const) {
    const rest = withIds('workout', column, type, 's.pushed');
    const rows = await queryWorkouts<FoundWorkout & { at: number }>(client, rest, [userKey, sourceIds, values]);
    workouts.push(...take(rows, (kinds) => kinds === 'workouts'));
  }
  for (const [column, type, values] of [
    ['pushed_id', 'bigint', keys],
    ['session_id', 'text', texts],
  ] as const) {
    const rest = withIds('sleep_stage', column, type, 'not s.from_file');
    const rows = await queryStages<FoundStage & { at: number }>(client, rest, [userKey, sourceIds, values]);
    stages.push(...take(rows, (kinds) => kinds === 'sleep'));
  }
  const left = ids.flatMap(({ id }, at) => (entries.has(at) ? [] : [{ at, hash: hashOfId(id) }]));
  const old = await findUnlistedSamples(
    client,
    userKey,
    unlisted.map(({ source_id: sourceId }) => sourceId),
    left.map(({ hash }) => hash),
  );
  const older = take(
    old.map((row) => ({ ...row, at: left[row.at]?.at as number })),
    isSeries,
  );
  return {
    samples: [...samples, ...older],
    stages: distinct(stages, stageKey),
    workouts: distinct(workouts, ({ id }) => id),
    entries,
  };
}

const STAGE = `s.source_id as "sourceId", extract(epoch from s.start_at)::float8 * 1000 as "startMs",
  extract(epoch from s.end_at)::float8 * 1000 as "endMs", s.stage, s.session_id as "sessionId", s.pushed_id::text as "pushedId"`;

async function queryStages<Row extends object>(
  client: BatchContext['client'],
  rest: string,
  parameters: unknown[],
): Promise<Row[]> {
  return (await client.query<Row>(`select ${STAGE} ${rest}`, parameters)).rows;
}

async function queryWorkouts<Row extends object>(
  client: BatchContext['client'],
  rest: string,
  parameters: unknown[],
): Promise<Row[]> {
  const columns = `s.id, s.pushed_id::text as "pushedId", ${WORKOUT_FACTS}`;
  return (await client.query<Row>(`select ${columns} ${rest}`, parameters)).rows;
}

const withIds = (table: string, column: string, type: string, isPushed: string) => `, given.at::int - 1 as at
  from unnest($3::${type}[]) with ordinality as given (id, at)
  join ${table} s on s.user_key = $1 and s.${column} = given.id
 where s.source_id = any ($2::int[]) and ${isPushed}`;

const IN_STRETCHES = (table: string, condition: string) => `
  from unnest($2::int[], $3::float8[], $4::float8[]) as given (source_id, start_ms, end_ms)
  join ${table} s on s.user_key = $1 and s.source_id = given.source_id and ${condition}
                 and s.start_at >= to_timestamp(given.start_ms / 1000) and s.start_at < to_timestamp(given.end_ms / 1000)`;

const stretchParameters = (userKey: number, stretches: readonly SessionStretch[]) => [
  userKey,
  stretches.map(({ sourceId }) => sourceId),
  stretches.map(({ startMs }) => startMs),
  stretches.map(({ endMs }) => endMs),
];

export async function stagesIn(
  { client, userKey }: BatchContext,
  stretches: readonly SessionStretch[],
): Promise<FoundStage[]> {
  if (stretches.length === 0) return [];
  return queryStages(client, IN_STRETCHES('sleep_stage', 'not s.from_file'), stretchParameters(userKey, stretches));
}

export async function workoutsIn(
  { client, userKey }: BatchContext,
  stretches: readonly SessionStretch[],
): Promise<FoundWorkout[]> {
  if (stretches.length === 0) return [];
  return queryWorkouts(client, IN_STRETCHES('workout', 's.pushed'), stretchParameters(userKey, stretches));
}

/** Merges the ranges so that many ranges of one month are read once. */
export function stretchesOf(ranges: readonly RangeEntry[]) {
  const byKey = new Map<string, PushedStretch[]>();
  for (const { kinds, sourceId, startMs, endMs } of ranges) {
    if (sourceId === undefined) continue;
    for (const typeId of typeIdsOf(kinds)) {
      const key = `${typeId} ${sourceId}`;
      const known = byKey.get(key);
      const stretch = { typeId, sourceId, startMs, endMs };
      if (known) known.push(stretch);
      else byKey.set(key, [stretch]);
    }
  }
  const all = [...byKey.values()].flatMap((stretches) => {
    const merged: PushedStretch[] = [];
    for (const stretch of stretches.sort((a, b) => a.startMs - b.startMs)) {
      const last = merged.at(-1);
      if (last && stretch.startMs <= last.endMs) last.endMs = Math.max(last.endMs, stretch.endMs);
      else merged.push({ ...stretch });
    }
    return merged;
  });
  return {
    samples: all.filter(({ typeId }) => typeId > 0),
    sleep: all.filter(({ typeId }) => typeId === SLEEP_ITEM),
    workouts: all.filter(({ typeId }) => typeId === WORKOUT_ITEM),
  };
}

export function typeIdsOf(kinds: PushedKinds): readonly number[] {
  if (kinds === 'sleep') return [SLEEP_ITEM];
  return kinds === 'workouts' ? [WORKOUT_ITEM] : kinds.typeIds;
}

export function stageKey({ sourceId, startMs, endMs, stage }: FoundStage): string {
  return `${sourceId} ${startMs} ${endMs} ${stage}`;
}

export function distinct<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
}
