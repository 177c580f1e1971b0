import {
  hashOfId,
  hashOfSlot,
  type Interval,
  isWithin,
  kindOfSlot,
  localDayNumber,
  MS_PER_DAY,
  NO_ID,
  NO_OFFSET,
  PLACE_TYPE_IDS,
  type ProviderId,
  READING_TYPE_IDS,
  type RecordBatch,
  readingHashes,
  readingsId,
  runsOf,
  SAMPLE_KIND_CODE,
  SLOT_HAS_ID_BIT,
  SLOT_HASH_BITS,
  SLOT_KIND_SHIFT,
  type SampleColumns,
  sharedReadingHash,
  unionOf,
  type WorkoutRecord,
} from '@healthd/model';
import { findArchivedPlaces } from '../archive/archive-deletion.js';
import type { MovedWorkout, StoredWorkout } from '../decide/workout-readings.js';
import type { ArchivedDay } from '../facts/archived/archived-day.js';
import type { Change } from '../facts/change.js';
import type { DirtyDays } from '../facts/dirty-days.js';
import { isShared, READINGS_REACH_MS, readingsHaveSource } from '../facts/events/workout-sources.js';
import { sourcesOfMeasured } from './load-workout-sources.js';
import { type ResolvedSources, sourceIdOf } from '../facts/sources/resolved-source.js';
import { readSpans } from '../facts/samples/sample-reader.js';
import { allocateRows, rowsWhere, type SampleRows, takeRows } from '../facts/samples/sample-rows.js';
import { type StoredSources, sourcesOfSameWriter } from '../facts/sources/stored-source.js';
import type { WriteContext } from '../facts/write-context.js';
import { applyRemoval, NOTHING_REMOVED, removedBy } from './removal.js';

/** SQL for the columns of {@link WorkoutFactsRow}, from the table `workout s`. */
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

/** Readings of workouts. */
export interface FoundReadings {
  /** Stored samples by writer. */
  samples: SampleRows[];
  /** Archived days of positions without another stored workout. */
  places: ArchivedDay[];
}

/**
 * Finds the readings of deleted workouts: samples of the same writer with the id of the workout's readings. Also finds
 * positions, and readings with the provider's old shared id, that were measured during the workout. Skips these samples
 * if another workout is stored at the same time. Excludes all-day measurements, such as a watch's heart rates.
 * @param workouts workouts with an `id` are still stored
 */
export async function findReadings(
  context: WriteContext & { sources: StoredSources },
  workouts: readonly (StoredWorkout & { id?: string })[],
): Promise<FoundReadings> {
  const found: FoundReadings = { samples: [], places: [] };
  for (const [sourceIds, alike] of byWriter(context.sources, workouts)) {
    const others = await loadWorkoutsAround(context, sourceIds, alike);
    found.samples.push(await readReadings(context, sourceIds, alike, others));
    for (const [firstDay, lastDay] of runsOf(daysWithoutOthers(context, alike, others), { gap: 1 })) {
      found.places.push(...(await findArchivedPlaces(context, { firstDay, lastDay, sourceIds })));
    }
  }
  return found;
}

/**
 * Finds and deletes the readings of workouts whose rows are deleted.
 * @param change the reason of the deletion
 * @returns the roll-ups to recompute
 */
export async function removeReadings(
  context: WriteContext & { sources: StoredSources },
  workouts: readonly StoredWorkout[],
  change: Change,
): Promise<DirtyDays> {
  const { samples, places } = await findReadings(context, workouts);
  const removal = { ...NOTHING_REMOVED, change, samples, archivedDays: places };
  await applyRemoval(context, removal);
  return removedBy(removal, context.timeline).days;
}

/** Returns the local days of a workout, first to last. */
function daysOf({ timeline }: WriteContext, { startMs, endMs, offsetMinutes }: StoredWorkout): number[] {
  const dayOf = (ms: number) => localDayNumber(ms, offsetMinutes ?? timeline.offsetAt(ms));
  const firstDay = dayOf(startMs);
  return Array.from({ length: dayOf(endMs) - firstDay + 1 }, (_, index) => firstDay + index);
}

/**
 * Loads these sources' other stored workouts within two days of the workouts. Uses one query, because a push may delete
 * thousands of workouts.
 */
async function loadWorkoutsAround(
  { client, userKey }: WriteContext,
  sourceIds: readonly number[],
  workouts: readonly (StoredWorkout & { id?: string })[],
): Promise<StoredWorkout[]> {
  // A local day is within a day of its instants at any offset.
  const around = unionOf(workouts.map(({ startMs, endMs }) => [startMs - 2 * MS_PER_DAY, endMs + 2 * MS_PER_DAY]));
  const [fromMs, toMs] = [around[0]?.[0], around.at(-1)?.[1]];
  const { rows } = await client.query<WorkoutFactsRow>(
    `select ${WORKOUT_FACTS} from workout s
      where s.user_key = $1 and s.source_id = any ($2::int[])
        and s.start_at <= to_timestamp($4::float8 / 1000) and s.end_at >= to_timestamp($3::float8 / 1000)
        and s.id <> all ($5::uuid[])`,
    [userKey, sourceIds, fromMs, toMs, workouts.flatMap(({ id }) => id ?? [])],
  );
  return rows.map(storedWorkout);
}

/** Returns the local days of archived workouts without another stored workout. */
function daysWithoutOthers(
  context: WriteContext,
  workouts: readonly StoredWorkout[],
  others: readonly StoredWorkout[],
): Set<number> {
  const { archivedBefore = Number.NEGATIVE_INFINITY } = context;
  const days = new Set<number>();
  for (const workout of workouts) {
    const ofWorkout = daysOf(context, workout);
    if ((ofWorkout[0] as number) < archivedBefore) for (const day of ofWorkout) days.add(day);
  }
  if (days.size > 0) for (const other of others) for (const day of daysOf(context, other)) days.delete(day);
  return days;
}

/** Groups workouts by writer, with the ids of all its sources. */
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

/**
 * Finds readings of moved workouts outside their new time, by writer. Reads all workouts of a writer at once, because a
 * push may move thousands.
 */
export async function findReadingsLeft(
  context: WriteContext & { sources: StoredSources },
  moved: readonly MovedWorkout[],
): Promise<SampleRows[]> {
  const found: SampleRows[] = [];
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
    const stored = await readSpans(context.client, context.userKey, sourceIds, spans);
    const left = rowsWhere(stored.length, (row) =>
      ofRow(stored, row).some((workout) => workout.left.some(isLeft(stored.startMs[row] as number))),
    );
    found.push(takeRows(stored, left));
  }
  return found;
}

/** A span with an exclusive end. */
type Stretch = readonly [fromMs: number, toMs: number];

/**
 * Returns the spans that a workout no longer covers and that may still contain its readings.
 * @param tailMs how far its readings extended past its end
 */
function stretchesLeft(before: StoredWorkout, now: MovedWorkout['now'], tailMs: number): Stretch[] {
  const from = before.startMs - READINGS_REACH_MS;
  const to = before.endMs + READINGS_REACH_MS;
  // Files contain whole seconds.
  const firstMs = wholeSecond(now.startMs);
  // Readings may follow an end that excludes pauses or is still unknown. If only such an end moves, the readings stay
  // in place.
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

interface ReadingRow {
  typeId: number;
  sourceId: number;
  slot: number;
  startMs: number;
  offsetMinutes: number | null;
}

/**
 * Finds these sources' stored samples that belong to the workouts: samples near a workout with the id of its readings,
 * and positions and samples with the provider's old shared id while no other workout was active.
 */
async function readReadings(
  { client, userKey, turns }: WriteContext,
  sourceIds: readonly number[],
  workouts: readonly (StoredWorkout & { provider: ProviderId })[],
  others: readonly StoredWorkout[],
): Promise<SampleRows> {
  const around = new Map<number, Interval[]>();
  for (const { provider, ...workout } of workouts) {
    const { startMs, endMs } = workout;
    for (const hash of readingHashes(provider, workout)) {
      const known = around.get(hash) ?? [];
      known.push([startMs - READINGS_REACH_MS, endMs + READINGS_REACH_MS]);
      around.set(hash, known);
    }
  }
  await turns.yieldIfLong();
  const named = new Map([...around].map(([hash, intervals]) => [hash, unionOf(intervals)]));
  const during = unionOf(workouts.map(({ startMs, endMs }) => [wholeSecond(startMs), endMs + 1]));
  const duringOthers = unionOf(others.map(({ startMs, endMs }) => [startMs, endMs + 1]));
  const shared = workouts[0] && sharedReadingHash(workouts[0].provider);
  const spans = unionOf([...named.values()].flat());
  await turns.yieldIfLong();
  const { rows: candidates } = await client.query<ReadingRow>(READINGS, [
    userKey,
    sourceIds,
    READING_TYPE_IDS,
    PLACE_TYPE_IDS,
    spans.map(([fromMs]) => fromMs),
    spans.map(([, toMs]) => toMs),
    [...named.keys()],
    shared ?? null,
  ]);
  const found: ReadingRow[] = [];
  for (const [index, row] of candidates.entries()) {
    if (index % ROWS_AT_ONCE === 0) await turns.yieldIfLong();
    const startMs = Math.round(row.startMs);
    const hash = hashOfSlot(row.slot);
    const ownSpans = named.get(hash);
    const isNamed = ownSpans !== undefined && isWithin(ownSpans, startMs);
    const namesNone = PLACES.has(row.typeId) || hash === shared;
    const isUnnamed = namesNone && kindOfSlot(row.slot) === SAMPLE_KIND_CODE.sample;
    if (isNamed || (isUnnamed && isWithin(during, startMs) && !isWithin(duringOthers, startMs))) found.push(row);
  }
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

/** Number of samples between two time checks. */
const ROWS_AT_ONCE = 1_000;

const PLACES: ReadonlySet<number> = new Set(PLACE_TYPE_IDS);

const HASH = `case when s.slot & ${SLOT_HAS_ID_BIT} <> 0 then s.slot & ${SLOT_HASH_BITS} else ${NO_ID} end`;

// Uses arrays and intervals, because a join would compare each sample with each workout.
const READINGS = `
select s.type_id as "typeId", s.source_id as "sourceId", s.slot, s.offset_minutes as "offsetMinutes",
       extract(epoch from s.start_at)::float8 * 1000 as "startMs"
  from unnest($5::float8[], $6::float8[]) as span (from_ms, to_ms)
 cross join unnest($3::int2[]) as reading (type_id)
  join sample s on s.user_key = $1 and s.type_id = reading.type_id and s.source_id = any ($2::int[])
               and s.start_at >= to_timestamp(span.from_ms / 1000) and s.start_at < to_timestamp(span.to_ms / 1000)
 where ${HASH} = any ($7::int[])
    or ((s.type_id = any ($4::int2[]) or ${HASH} = $8::int)
        and s.slot >> ${SLOT_KIND_SHIFT} = ${SAMPLE_KIND_CODE.sample})`;

const ALL_READINGS: ReadonlySet<number> = new Set(READING_TYPE_IDS);

/** A batch's samples and the source ids by `sourceIndex`. */
export interface SourcedSamples {
  samples: SampleColumns;
  sourceIds: number[];
}

/**
 * Assigns readings to their workout's source. A workout without a device, or with an earlier device name, keeps the
 * source that is already known for it.
 */
export async function withSourcesOfWorkouts(
  context: WriteContext & { sources: StoredSources },
  { samples, sourceIds: named, records }: SourcedSamples & Pick<RecordBatch, 'records'>,
  sources: ResolvedSources,
): Promise<SourcedSamples> {
  const sourceIds = [...named];
  if (samples.length === 0) return { samples, sourceIds };
  const workouts: (WorkoutRecord & { sourceId: number })[] = [];
  for (const [index, record] of records.entries()) {
    if (index % ROWS_AT_ONCE === 0) await context.turns.yieldIfLong();
    if (record.kind !== 'workout') continue;
    const row = { ...record, sourceId: sourceIdOf(sources, record.source) };
    if (isShared(row) && readingsHaveSource(row.source.provider)) workouts.push(row);
  }
  if (workouts.length === 0) return { samples, sourceIds };
  const chosen = await sourcesOfMeasured(context, workouts);
  await context.turns.yieldIfLong();
  const moved = new Map<number, number>();
  for (const [at, { source, externalId = '', sourceId }] of workouts.entries()) {
    const known = chosen[at] ?? sourceId;
    if (known !== sourceId) moved.set(hashOfId(readingsId(source.provider, externalId)), sourceIds.push(known) - 1);
  }
  if (moved.size === 0) return { samples, sourceIds };
  const sourceIndex = samples.sourceIndex.slice();
  for (let row = 0; row < samples.length; row++) {
    const to = moved.get(samples.idHash[row] as number);
    if (to !== undefined && ALL_READINGS.has(samples.typeId[row] as number)) sourceIndex[row] = to;
  }
  return { samples: { ...samples, sourceIndex }, sourceIds };
}
