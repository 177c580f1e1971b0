import {
  hashOfId,
  MS_PER_DAY,
  type ProviderId,
  READING_TYPE_IDS,
  readingsId,
  SAMPLE_KIND_CODE,
  slotOfId,
} from '@healthd/model';
import type { StoredSource, StoredSources } from '../sources/stored-source.js';
import { storableText } from '../storable-text.js';
import type { WriteContext } from '../write-context.js';
import type { WorkoutRow } from './workouts.js';

/** Readings may be a little outside of their workout, such as after an end that was not known yet. */
export const READINGS_REACH_MS = MS_PER_DAY;

/** Providers whose readings name no device, also where their workout does. */
const READINGS_WITHOUT_DEVICE: ReadonlySet<ProviderId> = new Set(['garmin']);

/** Whether readings of a provider's workouts are of the source of their workout. */
export function readingsHaveSource(provider: ProviderId): boolean {
  return !READINGS_WITHOUT_DEVICE.has(provider);
}

type SourcedContext = WriteContext & { sources: StoredSources };

/**
 * Gives each workout whose id its writer uses for no other one source: the device that was named last, be it by an item
 * that is stored or by one that arrives. What is stored under another source moves there, unless its readings are stored there:
 * a workout and its readings are of one source.
 */
export async function withKnownSources(context: SourcedContext, rows: readonly WorkoutRow[]): Promise<WorkoutRow[]> {
  const { client, userKey } = context;
  const { stored, chosen, nameOf } = await chooseSources(context, rows);
  const arriving = new Set(rows.filter(isShared).map(nameOf));
  for (const item of stored) {
    const name = nameOf(item);
    if (!arriving.has(name) || item.sourceId === chosen.get(name)) continue;
    if (await hasReadings(context, item)) chosen.set(name, item.sourceId);
  }
  const isThere = new Set(stored.map((item) => `${item.sourceId} ${item.externalId}`));
  for (const item of stored) {
    const sourceId = chosen.get(nameOf(item));
    if (sourceId === undefined || isThere.has(`${sourceId} ${item.externalId}`)) continue;
    isThere.add(`${sourceId} ${item.externalId}`);
    await client.query(
      'update workout set source_id = $3 where user_key = $1 and source_id = $2 and external_id = $4',
      [userKey, item.sourceId, sourceId, item.externalId],
    );
  }
  return rows.map((row) => (isShared(row) ? { ...row, sourceId: chosen.get(nameOf(row)) ?? row.sourceId } : row));
}

/** The sources of workouts that a batch has with their readings: those will be the sources of the readings too. */
export async function sourcesOfMeasured(context: SourcedContext, rows: readonly WorkoutRow[]): Promise<number[]> {
  const { chosen, nameOf } = await chooseSources(context, rows);
  return rows.map((row) => chosen.get(nameOf(row)) ?? row.sourceId);
}

interface StoredWorkout {
  sourceId: number;
  externalId: string;
  startMs: number;
  endMs: number;
}

/** By name of a workout: the device that was named last. */
async function chooseSources({ client, userKey, sources }: SourcedContext, rows: readonly WorkoutRow[]) {
  const byId = new Map([...sources.values()].map((source) => [source.source_id, source]));
  const nameOf = ({ sourceId, externalId = '' }: Pick<WorkoutRow, 'sourceId' | 'externalId'>) =>
    JSON.stringify([writerOf(byId.get(sourceId)), storableText(externalId)]);
  const shared = rows.filter(isShared);
  const chosen = new Map<string, number>();
  if (shared.length === 0) return { stored: [], chosen, nameOf };
  const { rows: stored } = await client.query<StoredWorkout>(
    `select source_id as "sourceId", external_id as "externalId", extract(epoch from start_at)::float8 * 1000 as "startMs",
            extract(epoch from end_at)::float8 * 1000 as "endMs"
       from workout
      where user_key = $1 and external_id = any ($2::text[]) and source_id = any ($3::int[]) order by created_at, id`,
    [userKey, shared.map(({ externalId = '' }) => storableText(externalId)), [...byId.keys()]],
  );
  for (const item of [...stored, ...shared]) {
    const name = nameOf(item);
    const known = chosen.get(name);
    if (known === undefined || byId.get(item.sourceId)?.device_model !== null) chosen.set(name, item.sourceId);
  }
  return { stored, chosen, nameOf };
}

/** Whether readings of a stored workout are stored under its source. */
async function hasReadings(
  { client, userKey, sources }: SourcedContext,
  { sourceId, externalId, startMs, endMs }: StoredWorkout,
): Promise<boolean> {
  const source = [...sources.values()].find((one) => one.source_id === sourceId);
  if (!source || !readingsHaveSource(source.provider)) return false;
  const slot = slotOfId(SAMPLE_KIND_CODE.sample, hashOfId(readingsId(source.provider, externalId)));
  const { rowCount } = await client.query(
    `select 1 from sample
      where user_key = $1 and source_id = $2 and type_id = any ($3::int2[]) and slot = $4
        and start_at >= to_timestamp($5::float8 / 1000) and start_at < to_timestamp($6::float8 / 1000) limit 1`,
    [userKey, sourceId, READING_TYPE_IDS, slot, startMs - READINGS_REACH_MS, endMs + READINGS_REACH_MS],
  );
  return rowCount === 1;
}

/** Whether the id of a workout is that of one among all sources of its writer. */
export function isShared({ idScope, externalId }: WorkoutRow): boolean {
  return idScope === 'writer' && externalId !== undefined;
}

function writerOf(source: StoredSource | undefined) {
  return [source?.provider, source?.writer, source?.account];
}
