import {
  hashOfSlot,
  kindOfSlot,
  localDayNumber,
  MS_PER_DAY,
  NO_ID,
  NO_OFFSET,
  PLACE_TYPE_IDS,
  type ProviderId,
  READING_TYPE_IDS,
  readingHashes,
  SAMPLE_KIND_CODE,
  SLOT_HAS_ID_BIT,
  SLOT_HASH_BITS,
  SLOT_KIND_SHIFT,
  sharedReadingHash,
  type WorkoutFacts,
} from '@healthd/model';
import { deleteArchivedPlaces } from '../archive/archive-deletion.js';
import { READINGS_REACH_MS } from '../facts/events/workout-sources.js';
import { readSpans } from '../facts/samples/sample-reader.js';
import { allocateRows, type SampleRows } from '../facts/samples/sample-rows.js';
import { type StoredSources, sourcesOfSameWriter } from '../facts/sources/stored-source.js';
import type { WriteContext } from '../facts/write-context.js';
import { allRemoved, type Removed } from './removed.js';
import { removeRows, removeSamples } from './removed-samples.js';

/** A workout as its row has it. */
export interface StoredWorkout extends WorkoutFacts {
  sourceId: number;
  offsetMinutes?: number;
}

/** The same in SQL, of the table `s`; see {@link storedWorkout}. */
export const WORKOUT_FACTS = `s.source_id as "sourceId", s.external_id as "externalId", s.type,
  extract(epoch from s.start_at)::float8 * 1000 as "startMs", extract(epoch from s.end_at)::float8 * 1000 as "endMs",
  s.offset_minutes as "offsetMinutes"`;

export interface WorkoutFactsRow {
  sourceId: number;
  externalId: string | null;
  type: string;
  startMs: number;
  endMs: number;
  offsetMinutes: number | null;
}

export function storedWorkout({ externalId, startMs, endMs, offsetMinutes, ...row }: WorkoutFactsRow): StoredWorkout {
  return {
    ...row,
    externalId: externalId ?? undefined,
    startMs: Math.round(startMs),
    endMs: Math.round(endMs),
    offsetMinutes: offsetMinutes ?? undefined,
  };
}

/**
 * Removes what was measured during workouts that are deleted, and where: samples of the same writer with the id of the
 * workout's readings; places, and readings that name no workout, within its time, unless another workout is stored of it.
 * What was measured beside it, such as the heart rates of a watch all day, stays.
 * @param workouts their rows are gone
 * @param isKept whether a stored sample is in the batch that lacks the workout
 */
export async function removeReadings(
  context: WriteContext & { sources: StoredSources },
  workouts: readonly StoredWorkout[],
  isKept: (stored: SampleRows, row: number) => boolean = () => false,
): Promise<Removed> {
  const parts: Removed[] = [];
  for (const [sourceIds, alike] of byWriter(context.sources, workouts)) {
    const stored = await readReadings(context, sourceIds, alike);
    const removed = await removeRows(context, stored, (row) => !isKept(stored, row));
    for (const workout of alike) {
      for (const goneDay of await daysWithoutOthers(context, sourceIds, workout)) {
        const places = { firstDay: goneDay, lastDay: goneDay, sourceIds };
        for (const { typeId, sourceId, day } of await deleteArchivedPlaces(context, places)) {
          removed.days.add(typeId, sourceId, day);
        }
      }
    }
    parts.push(removed);
  }
  return allRemoved(parts);
}

/** The local days of a workout, from the first to the last. */
function daysOf({ timeline }: WriteContext, { startMs, endMs, offsetMinutes }: StoredWorkout): number[] {
  const dayOf = (ms: number) => localDayNumber(ms, offsetMinutes ?? timeline.offsetAt(ms));
  const firstDay = dayOf(startMs);
  return Array.from({ length: dayOf(endMs) - firstDay + 1 }, (_, index) => firstDay + index);
}

/** The local days of a workout on which no other one of these sources is stored. */
async function daysWithoutOthers(
  context: WriteContext,
  sourceIds: readonly number[],
  workout: StoredWorkout,
): Promise<number[]> {
  const days = daysOf(context, workout);
  const firstDay = days[0] as number;
  if (context.archivedBefore === undefined || firstDay >= context.archivedBefore) return [];
  const { rows } = await context.client.query<WorkoutFactsRow>(
    `select ${WORKOUT_FACTS} from workout s
      where s.user_key = $1 and s.source_id = any ($2::int[])
        and s.start_at <= to_timestamp($4::float8 / 1000) and s.end_at >= to_timestamp($3::float8 / 1000)`,
    // A local day is within a day of its instants, whatever the offsets of the two.
    [context.userKey, sourceIds, workout.startMs - 2 * MS_PER_DAY, workout.endMs + 2 * MS_PER_DAY],
  );
  const others = new Set(rows.flatMap((row) => daysOf(context, storedWorkout(row))));
  return days.filter((day) => !others.has(day));
}

/** The workouts of each writer, with the ids of all its sources. */
function byWriter<T extends StoredWorkout>(
  sources: StoredSources,
  workouts: readonly T[],
): Map<number[], (T & { provider: ProviderId })[]> {
  const writers = new Map<number, ReturnType<typeof sourcesOfSameWriter>>();
  const groups = new Map<string, { sourceIds: number[]; workouts: (T & { provider: ProviderId })[] }>();
  for (const workout of workouts) {
    const writer = writers.get(workout.sourceId) ?? sourcesOfSameWriter(sources, workout.sourceId);
    writers.set(workout.sourceId, writer);
    const { provider, sourceIds } = writer;
    const known = groups.get(sourceIds.join());
    if (known) known.workouts.push({ ...workout, provider });
    else groups.set(sourceIds.join(), { sourceIds, workouts: [{ ...workout, provider }] });
  }
  return new Map([...groups.values()].map((group) => [group.sourceIds, group.workouts]));
}

/** A workout as it was stored, and where it is now. */
export interface MovedWorkout {
  before: StoredWorkout;
  now: Pick<StoredWorkout, 'startMs' | 'endMs'>;
}

/**
 * Removes what was measured of workouts that have moved and lies outside of where they are now. All workouts of a writer
 * are read at once, because one push may move thousands.
 */
export async function removeReadingsLeft(
  context: WriteContext & { sources: StoredSources },
  moved: readonly MovedWorkout[],
  isKept: (stored: SampleRows, row: number) => boolean,
): Promise<Removed> {
  const parts: Removed[] = [];
  const workouts = moved.map(({ before, now }) => ({ ...before, now }));
  for (const [sourceIds, ofWriter] of byWriter(context.sources, workouts)) {
    const searched = ofWriter.map((workout) => ({ ...workout, tailMs: 0, left: [] as Stretch[] }));
    const byHash = new Map<number, (typeof searched)[number][]>();
    for (const workout of searched) {
      for (const hash of new Set(readingHashes(workout.provider, workout))) {
        const known = byHash.get(hash);
        if (known) known.push(workout);
        else byHash.set(hash, [workout]);
      }
    }
    const ofRow = (stored: SampleRows, row: number) => byHash.get(hashOfSlot(stored.slot[row] as number)) ?? [];
    const tails = searched.flatMap(({ endMs }) => spansOf([endMs, endMs + READINGS_REACH_MS]));
    const afterEnd = await readSpans(context.client, context.userKey, sourceIds, tails);
    for (let row = 0; row < afterEnd.length; row++) {
      for (const workout of ofRow(afterEnd, row)) {
        const tailMs = (afterEnd.startMs[row] as number) - workout.endMs;
        if (tailMs < READINGS_REACH_MS) workout.tailMs = Math.max(workout.tailMs, tailMs);
      }
    }
    for (const workout of searched) workout.left = stretchesLeft(workout, workout.now, workout.tailMs);
    const spans = searched.flatMap(({ left }) => left.flatMap(spansOf));
    const isLeft =
      (startMs: number) =>
      ([fromMs, toMs]: Stretch) =>
        startMs >= fromMs && startMs < toMs;
    parts.push(
      await removeSamples(context, sourceIds, spans, (stored, row) => {
        const startMs = stored.startMs[row] as number;
        return ofRow(stored, row).some(({ left }) => left.some(isLeft(startMs))) && !isKept(stored, row);
      }),
    );
  }
  return allRemoved(parts);
}

/** From an instant to another one, which is excluded. */
type Stretch = readonly [fromMs: number, toMs: number];

/** Where readings of a workout may be that it has left. @param tailMs how far they reached beyond its end */
function stretchesLeft(before: StoredWorkout, now: MovedWorkout['now'], tailMs: number): Stretch[] {
  const from = before.startMs - READINGS_REACH_MS;
  const to = before.endMs + READINGS_REACH_MS;
  // Files have whole seconds.
  const firstMs = wholeSecond(now.startMs);
  // Readings may follow an end that leaves out pauses, or is not known yet: such an end moves without them.
  const earlierMs = wholeSecond(before.endMs) - wholeSecond(now.endMs);
  const endsTail = earlierMs > 0 && (firstMs !== wholeSecond(before.startMs) || earlierMs > tailMs);
  const lastMs = endsTail ? now.endMs + 1 : now.endMs + READINGS_REACH_MS;
  return [
    [from, Math.min(to, firstMs)],
    [Math.max(from, lastMs), to],
  ];
}

function wholeSecond(ms: number): number {
  return Math.floor(ms / 1000) * 1000;
}

function spansOf([fromMs, toMs]: Stretch) {
  return READING_TYPE_IDS.map((typeId) => ({ typeId, fromMs, toMs }));
}

/** Stored samples of these sources that were measured during the workouts. */
async function readReadings(
  { client, userKey }: WriteContext,
  sourceIds: readonly number[],
  workouts: readonly (StoredWorkout & { provider: ProviderId })[],
): Promise<SampleRows> {
  const hashes = workouts.flatMap(({ provider, ...workout }) =>
    readingHashes(provider, workout).map((hash) => ({ ...workout, hash, shared: sharedReadingHash(provider) })),
  );
  const { rows: found } = await client.query<{
    typeId: number;
    sourceId: number;
    slot: number;
    startMs: number;
    offsetMinutes: number | null;
  }>(READINGS, [
    userKey,
    sourceIds,
    READING_TYPE_IDS,
    PLACE_TYPE_IDS,
    READINGS_REACH_MS,
    hashes.map(({ startMs }) => startMs),
    hashes.map(({ endMs }) => endMs),
    hashes.map(({ hash }) => hash),
    hashes.map(({ shared }) => shared ?? null),
  ]);
  const rows = allocateRows(found.length);
  for (const [row, { typeId, sourceId, slot, startMs, offsetMinutes }] of found.entries()) {
    rows.typeId[row] = typeId;
    rows.sourceId[row] = sourceId;
    rows.slot[row] = slot;
    rows.kind[row] = kindOfSlot(slot);
    rows.startMs[row] = Math.round(startMs);
    rows.offsetMinutes[row] = offsetMinutes ?? NO_OFFSET;
  }
  return rows;
}

const HASH = `case when s.slot & ${SLOT_HAS_ID_BIT} <> 0 then s.slot & ${SLOT_HASH_BITS} else ${NO_ID} end`;

const READINGS = `
select distinct s.type_id as "typeId", s.source_id as "sourceId", s.slot, s.offset_minutes as "offsetMinutes",
       extract(epoch from s.start_at)::float8 * 1000 as "startMs"
  from (select hash, shared, to_timestamp(floor(start_ms / 1000)) as start_at, to_timestamp(end_ms / 1000) as end_at,
               to_timestamp((start_ms - $5::float8) / 1000) as first_at,
               to_timestamp((end_ms + $5::float8) / 1000) as last_at
          from unnest($6::float8[], $7::float8[], $8::int[], $9::int[]) as workout (start_ms, end_ms, hash, shared)) gone
 cross join unnest($3::int2[]) as reading (type_id)
  join sample s on s.user_key = $1 and s.type_id = reading.type_id and s.source_id = any ($2::int[])
               and s.start_at >= gone.first_at and s.start_at < gone.last_at
 where ${HASH} = gone.hash
    or ((s.type_id = any ($4::int2[]) or ${HASH} = gone.shared)
        and s.slot >> ${SLOT_KIND_SHIFT} = ${SAMPLE_KIND_CODE.sample}
        and s.start_at between gone.start_at and gone.end_at
        and not exists (select from workout other
                         where other.user_key = $1 and other.source_id = any ($2::int[])
                           and s.start_at between other.start_at and other.end_at))`;
