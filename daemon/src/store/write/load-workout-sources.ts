import { hashOfId, MS_PER_DAY, READING_TYPE_IDS, readingsId, SAMPLE_KIND_CODE, slotOfId } from '@healthd/model';
import { firstFrom } from '../decide/range-max.js';
import {
  chosenSources,
  isShared,
  READINGS_REACH_MS,
  readingsHaveSource,
  type SharedWorkout,
  workoutNames,
} from '../facts/events/workout-sources.js';
import type { WorkoutRow } from '../facts/events/workouts.js';
import { readSpans } from '../facts/samples/sample-reader.js';
import { type SampleKey, type SampleRows, sampleKeyOf } from '../facts/samples/sample-rows.js';
import type { SampleChanges } from '../facts/samples/sample-store.js';
import type { StoredSources } from '../facts/sources/stored-source.js';
import { storableText } from '../facts/storable-text.js';
import type { WriteContext } from '../facts/write-context.js';

type SourcedContext = WriteContext & { sources: StoredSources };

/**
 * Loads the stored workouts with the id of a row, in order of arrival. Considers only rows whose id is unique for their
 * writer.
 */
export async function loadShared(
  { client, userKey, sources }: SourcedContext,
  rows: readonly WorkoutRow[],
): Promise<SharedWorkout[]> {
  const shared = rows.filter(isShared);
  if (shared.length === 0) return [];
  const { rows: stored } = await client.query<SharedWorkout>(
    `select id, source_id as "sourceId", external_id as "externalId",
            extract(epoch from start_at)::float8 * 1000 as "startMs", extract(epoch from end_at)::float8 * 1000 as "endMs"
       from workout
      where user_key = $1 and external_id = any ($2::text[]) and source_id = any ($3::int[]) order by created_at, id`,
    [
      userKey,
      shared.map(({ externalId = '' }) => storableText(externalId)),
      [...sources.values()].map(({ source_id }) => source_id),
    ],
  );
  return stored;
}

/** Returns the source of each workout that arrives with its readings. The readings get the same source. */
export async function sourcesOfMeasured(context: SourcedContext, rows: readonly WorkoutRow[]): Promise<number[]> {
  const nameOf = workoutNames(context.sources);
  const chosen = chosenSources(context.sources, rows, await loadShared(context, rows));
  return rows.map((row) => chosen.get(nameOf(row)) ?? row.sourceId);
}

/**
 * Finds the stored workouts that have readings under their current source after the batch. Considers only workouts of
 * which a stored copy may move to another source.
 * @param changes the batch's samples
 */
export async function findWithReadings(
  { client, userKey, sources, turns }: SourcedContext,
  rows: readonly WorkoutRow[],
  stored: readonly SharedWorkout[],
  changes: SampleChanges,
): Promise<Set<string>> {
  const nameOf = workoutNames(sources);
  const chosen = chosenSources(sources, rows, stored);
  const providers = new Map([...sources.values()].map((source) => [source.source_id, source.provider]));
  const isUndecided = (workout: SharedWorkout) => chosen.get(nameOf(workout)) !== workout.sourceId;
  const undecided = new Set(stored.filter(isUndecided).map(nameOf));
  const found = new Set<string>();
  if (undecided.size === 0) return found;
  const requested: RequestedWorkout[] = stored.flatMap((workout) => {
    const { id, sourceId, startMs, endMs, externalId } = workout;
    const provider = providers.get(sourceId);
    if (!undecided.has(nameOf(workout)) || !provider || !readingsHaveSource(provider)) return [];
    const slot = slotOfId(SAMPLE_KIND_CODE.sample, hashOfId(readingsId(provider, externalId)));
    const [fromMs, toMs] = [Math.floor(startMs) - READINGS_REACH_MS, Math.ceil(endMs) + READINGS_REACH_MS];
    return [{ id, sourceId, slot, fromMs, toMs }];
  });
  const deleted = new Set(changes.deleted.map(keyOf));
  for (const near of chunksOf(requested)) {
    const samples = await readSpans(
      client,
      userKey,
      [...new Set(near.map(({ sourceId }) => sourceId))],
      near.flatMap(({ fromMs, toMs }) => READING_TYPE_IDS.map((typeId) => ({ typeId, fromMs, toMs }))),
      [...new Set(near.map(({ slot }) => slot))],
    );
    await turns.yieldIfLong();
    const starts = new Map<string, number[]>();
    for (let row = 0; row < samples.length; row++) {
      if (!deleted.has(keyOf(sampleKeyOf(samples, row)))) addStart(starts, samples, row);
    }
    for (const row of changes.inserted) {
      if (READINGS.has(changes.rows.typeId[row] as number)) addStart(starts, changes.rows, row);
    }
    for (const own of starts.values()) own.sort((a, b) => a - b);
    await turns.yieldIfLong();
    for (const { id, sourceId, slot, fromMs, toMs } of near) {
      const own = starts.get(`${sourceId} ${slot}`) ?? [];
      if ((own[firstFrom(own, fromMs)] ?? toMs) < toMs) found.add(id);
    }
  }
  return found;
}

/** A stored workout whose readings are searched for. */
interface RequestedWorkout {
  id: string;
  sourceId: number;
  /** Slot of the workout's readings. */
  slot: number;
  fromMs: number;
  toMs: number;
}

/** Number of days whose readings are read together. Limits memory. */
const MOST_DAYS = 8;

/** Splits workouts by time, so that each reading is read about once. */
function* chunksOf(workouts: RequestedWorkout[]): Generator<RequestedWorkout[]> {
  let batch: RequestedWorkout[] = [];
  for (const workout of workouts.sort((a, b) => a.fromMs - b.fromMs)) {
    const first = batch[0];
    if (first && workout.fromMs - first.fromMs > MOST_DAYS * MS_PER_DAY) {
      yield batch;
      batch = [];
    }
    batch.push(workout);
  }
  if (batch.length > 0) yield batch;
}

function addStart(starts: Map<string, number[]>, rows: SampleRows, row: number): void {
  const key = `${rows.sourceId[row]} ${rows.slot[row]}`;
  const known = starts.get(key);
  if (known) known.push(rows.startMs[row] as number);
  else starts.set(key, [rows.startMs[row] as number]);
}

const READINGS: ReadonlySet<number> = new Set(READING_TYPE_IDS);

function keyOf({ typeId, startMs, sourceId, slot }: SampleKey): string {
  return `${typeId} ${startMs} ${sourceId} ${slot}`;
}
