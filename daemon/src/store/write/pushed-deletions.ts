import {
  kindOfSlot,
  NO_OFFSET,
  overlapsAny,
  type ProviderId,
  type PushedDeletion,
  pushedIdKey,
  SLEEP_LENGTH,
  unionOf,
} from '@healthd/model';
import { groupedBy } from '../../platform/grouped-by.js';
import { deleteArchivedNights } from '../archive/archive-deletion.js';
import { ARCHIVED_DATE, IS_ARCHIVED_AS_NAP } from '../archive/night-sources.js';
import { firstFrom } from '../decide/range-max.js';
import { CHANGE } from '../facts/change.js';
import {
  findComputedSamples,
  findPushedIn,
  knownIdOf,
  listedIn,
  type PushedSample,
  type PushedStretch,
  unlistIds,
  unlistIn,
} from '../facts/pushed/pushed-samples.js';
import {
  ANY_ITEM,
  recordPushedDeletions,
  recordDeletedNights,
  contentOf,
  removePushedTombstones,
  type ItemTrace,
  SLEEP_ITEM,
  type TypedId,
  WORKOUT_ITEM,
} from '../facts/pushed/pushed-tombstones.js';
import { allocateRows, type SampleRows } from '../facts/samples/sample-rows.js';
import { reassemble } from './plan-sleep.js';
import { knownSource } from '../facts/sources/source-aliases.js';
import { forgetComparisons } from '../facts/sources/source-rows.js';
import { storedKey } from '../facts/sources/stored-source.js';
import { storableText } from '../facts/storable-text.js';
import type { WriteContext } from '../facts/write-context.js';
import type { Additions, SpannedTrace } from './deleted-earlier.js';
import {
  distinct,
  type FoundStage,
  type FoundWorkout,
  findByIds,
  type IdEntry,
  idEntries,
  type RangeEntry,
  stageKey,
  stagesIn,
  stretchesOf,
  typeIdsOf,
  workoutsIn,
} from './find-pushed-items.js';
import { type BatchContext, loadContext } from './load-context.js';
import { applyRemoval, NOTHING_REMOVED, type Removal, type Removed, removedBy } from './removal.js';
import { findReadings, storedWorkout } from './workout-readings.js';

/** Outcome of a phone's deletions: deleted items, and entries without a stored match. */
export interface PushedDeletionCounts {
  deleted: number;
  notFound: number;
}

/** Stored items that a phone reports as deleted, and the updates that follow from deleting them. */
export interface DecidedDeletions {
  removal: Removal;
  stages: readonly FoundStage[];
  /** Archived nights that lose stages. */
  archivedNights: readonly { sourceId: number; dates: readonly string[] }[];
  unlisted: {
    sourceIds: readonly number[];
    ids: readonly { key: string; typeId: number | undefined }[];
    stretches: readonly PushedStretch[];
  };
  /** Tombstones to add, and tombstones to remove because the batch adds their items again. */
  recorded: { ids: readonly TypedId[]; items: readonly ItemTrace[] };
  exhumed: { ids: readonly string[]; items: readonly ItemTrace[] };
  /** True if stored items are deleted, so that apps must be compared again. */
  forgetsComparisons: boolean;
  counts: PushedDeletionCounts;
  /** Context around the deleted items. */
  around: WriteContext;
}

/** Returns the sources that pushes of the provider may write. */
export function pushedSourcesOf({ sources }: BatchContext, provider: ProviderId) {
  return [...sources.values()].filter((source) => source.provider === provider && !source.from_cloud);
}

/**
 * Finds the items that a phone deleted. Matches only rows that a push of the same provider wrote; ranges also require
 * the same source. Never matches data from clouds and files, so a stolen device token cannot delete it.
 */
export async function findPushedDeletions(
  context: BatchContext,
  provider: ProviderId,
  deletions: readonly PushedDeletion[],
  additions: Additions,
): Promise<DecidedDeletions> {
  const { client, userKey, turns } = context;
  const own = pushedSourcesOf(context, provider);
  const sourceIds = own.map(({ source_id: sourceId }) => sourceId);
  const ids = idEntries(deletions);
  const ranges = rangesOf(context, provider, deletions);

  const byIds = await findByIds(
    context,
    sourceIds,
    own.filter((row) => row.has_unlisted_ids),
    ids,
  );
  await turns.yieldIfLong();
  const stretches = stretchesOf(ranges);
  const inRanges = await findInRanges(context, stretches);
  await turns.yieldIfLong();
  const pushed = distinct([...byIds.samples, ...inRanges.samples], sampleKey);
  const computed = distinct(await findComputedSamples(client, userKey, pushed), sampleKey);
  const samples = distinct([...pushed, ...computed], sampleKey);
  const stages = distinct([...byIds.stages, ...inRanges.stages], stageKey);
  const workouts = distinct([...byIds.workouts, ...inRanges.workouts], ({ id }) => id);

  const restated = new Set(additions.items.map(traceKey));
  const deletedStages = stages.filter(
    (stage) => !restated.has(traceKey(stageTrace(stage))) && !additions.ids.has(stage.pushedId ?? ''),
  );
  const around = await contextAround(context, [...samples, ...stages, ...workouts]);
  const scores = await findScores(context, sourceIds, { stages, ids });
  const readings = await findReadings(
    around,
    workouts.map((workout) => ({ ...storedWorkout(workout), id: workout.id })),
  );
  const allStretches = Object.values(stretches).flat();
  const named = [
    ...ids.flatMap(({ key, kinds }) =>
      (kinds === undefined ? [ANY_ITEM] : typeIdsOf(kinds)).map((typeId) => ({ key, typeId })),
    ),
    ...(await listedIn(client, userKey, allStretches)),
    ...scores.map(({ externalId }) => ({ key: pushedIdKey(externalId), typeId: SLEEP_ITEM })),
  ];
  const deleted = distinct(named, ({ key, typeId }) => `${key} ${typeId}`);
  await turns.yieldIfLong();
  const traces = [...pushed.map(sampleTrace), ...stages.map(stageTrace), ...workouts.map(workoutTrace)];
  const again = new Set(deleted.flatMap(({ key }) => (additions.ids.has(key) ? [key] : [])));
  const readded = additions.identified.filter(({ keys }) => keys.some((key) => again.has(key)));
  const found = byIds.entries.size;
  const inRangesOnly =
    traces.length - distinct(byIds.samples, sampleKey).length - byIds.stages.length - byIds.workouts.length;
  return {
    removal: {
      ...NOTHING_REMOVED,
      change: CHANGE.deletedByPerson,
      samples: [rowsOf(samples), ...readings.samples],
      archivedDays: readings.places,
      sessions: { workout: workouts.map(({ id }) => id) },
      scores: scores.map(({ id }) => id),
    },
    stages,
    archivedNights: await findArchivedNights(client, userKey, deletedStages),
    unlisted: {
      sourceIds,
      ids: ids.flatMap(({ key, kinds }): { key: string; typeId: number | undefined }[] =>
        kinds === undefined ? [{ key, typeId: undefined }] : typeIdsOf(kinds).map((typeId) => ({ key, typeId })),
      ),
      stretches: allStretches,
    },
    recorded: {
      ids: deleted.filter(({ key }) => !additions.ids.has(key)),
      items: traces.filter((trace) => !restated.has(traceKey(trace))),
    },
    exhumed: { ids: [...again], items: readded.map(({ trace }) => trace) },
    forgetsComparisons: traces.length > 0,
    counts: { deleted: found + inRangesOnly, notFound: ids.length - found + countEmpty(ranges, inRanges) },
    around,
  };
}

/** Returns the deleted ranges with the stored sources that pushes of the provider may write. */
function rangesOf(context: BatchContext, provider: ProviderId, deletions: readonly PushedDeletion[]): RangeEntry[] {
  const isOwn = new Set(pushedSourcesOf(context, provider).map(({ source_id: sourceId }) => sourceId));
  return deletions.flatMap((deletion): RangeEntry[] => {
    if ('id' in deletion) return [];
    const { kinds, startMs, endMs } = deletion;
    const row = context.sources.get(storedKey(knownSource(deletion.source, context.aliases)));
    return [{ kinds, startMs, endMs, sourceId: row && isOwn.has(row.source_id) ? row.source_id : undefined }];
  });
}

/** Returns the spans that the ranges delete, by series and stored source. */
export function deletedStretches(
  context: BatchContext,
  provider: ProviderId,
  deletions: readonly PushedDeletion[],
): PushedStretch[] {
  return Object.values(stretchesOf(rangesOf(context, provider, deletions))).flat();
}

async function findInRanges(context: BatchContext, stretches: ReturnType<typeof stretchesOf>) {
  return {
    samples: await findPushedIn(context.client, context.userKey, stretches.samples),
    stages: await stagesIn(context, stretches.sleep),
    workouts: await workoutsIn(context, stretches.workouts),
  };
}

/** Finds the items that the deletions' ranges would delete. */
export async function findTracesInRanges(
  context: BatchContext,
  provider: ProviderId,
  deletions: readonly PushedDeletion[],
): Promise<SpannedTrace[]> {
  const found = await findInRanges(context, stretchesOf(rangesOf(context, provider, deletions)));
  return [
    ...found.samples.map((one) => ({ ...sampleTrace(one), endMs: one.startMs + (one.durationMs ?? 0) })),
    ...found.stages.map((one) => ({ ...stageTrace(one), endMs: one.endMs, isInBed: one.stage === 'in_bed' })),
    ...found.workouts.map((one) => ({ ...workoutTrace(one), endMs: one.endMs })),
  ];
}

/** Deletes the items, and reassembles the nights that lose stages. */
export async function applyPushedDeletions(
  context: BatchContext,
  provider: ProviderId,
  decided: DecidedDeletions,
): Promise<Removed> {
  const { client, userKey, turns } = context;
  const { removal, stages, unlisted, around } = decided;
  for (const nights of decided.archivedNights) await deleteArchivedNights(client, userKey, nights);
  await applyRemoval(around, removal);
  const removed = removedBy(removal, around.timeline);
  let wakeDates: ReadonlySet<string> = new Set();
  if (stages.length > 0) {
    await deleteStages(client, userKey, stages);
    await recordDeletedNights(client, userKey, [...new Set(stages.map(({ sourceId }) => sourceId))], spanOf(stages));
    const changed = stages.map(({ sourceId, startMs, endMs }) => ({ sourceId, fromMs: startMs, toMs: endMs }));
    wakeDates = await reassemble(around, changed, CHANGE.deletedByPerson);
  }
  await turns.yieldIfLong();
  await unlistIds(client, userKey, unlisted.sourceIds, unlisted.ids);
  await unlistIn(client, userKey, unlisted.stretches);
  await recordPushedDeletions(client, userKey, provider, decided.recorded);
  await removePushedTombstones(client, userKey, provider, decided.exhumed);
  if (decided.forgetsComparisons) await forgetComparisons(client, userKey);
  return { ...removed, wakeDates: [...removed.wakeDates, ...wakeDates] };
}

/** Loads the offsets around the items. */
async function contextAround(context: BatchContext, items: readonly { startMs: number; endMs?: number }[]) {
  const { client, userKey, sleepEndGapMinutes, sources } = context;
  return { ...(await loadContext(client, userKey, sleepEndGapMinutes, spanOf(items))), sources };
}

function rowsOf(samples: readonly PushedSample[]): SampleRows {
  const rows = allocateRows(samples.length);
  for (const [row, sample] of samples.entries()) {
    rows.typeId[row] = sample.typeId;
    rows.sourceId[row] = sample.sourceId;
    rows.kind[row] = kindOfSlot(sample.slot);
    rows.slot[row] = sample.slot;
    rows.startMs[row] = Math.round(sample.startMs);
    rows.offsetMinutes[row] = sample.offsetMinutes ?? NO_OFFSET;
  }
  return rows;
}

async function deleteStages(
  client: BatchContext['client'],
  userKey: number,
  stages: readonly FoundStage[],
): Promise<void> {
  await client.query(
    `delete from sleep_stage s
      using unnest($2::int[], $3::float8[], $4::float8[], $5::text[]) as gone (source_id, start_ms, end_ms, stage)
      where s.user_key = $1 and s.source_id = gone.source_id and s.start_at = to_timestamp(gone.start_ms / 1000)
        and s.end_at = to_timestamp(gone.end_ms / 1000) and s.stage = gone.stage`,
    [
      userKey,
      stages.map(({ sourceId }) => sourceId),
      stages.map(({ startMs }) => startMs),
      stages.map(({ endMs }) => endMs),
      stages.map(({ stage }) => stage),
    ],
  );
}

/** Returns the number of ranges without a deleted row. */
function countEmpty(
  ranges: readonly RangeEntry[],
  found: { samples: readonly PushedSample[]; stages: readonly FoundStage[]; workouts: readonly FoundWorkout[] },
): number {
  const starts = new Map<string, number[]>();
  const add = (typeId: number, { sourceId, startMs }: { sourceId: number; startMs: number }) => {
    const key = `${typeId} ${sourceId}`;
    const known = starts.get(key);
    if (known) known.push(startMs);
    else starts.set(key, [startMs]);
  };
  for (const sample of found.samples) add(sample.typeId, sample);
  for (const stage of found.stages) add(SLEEP_ITEM, stage);
  for (const workout of found.workouts) add(WORKOUT_ITEM, workout);
  for (const list of starts.values()) list.sort((a, b) => a - b);
  const holdsAny = ({ kinds, sourceId, startMs, endMs }: RangeEntry) =>
    typeIdsOf(kinds).some((typeId) => {
      const list = starts.get(`${typeId} ${sourceId}`) ?? [];
      const first = list[firstFrom(list, startMs)];
      return first !== undefined && first < endMs;
    });
  return ranges.filter((range) => !holdsAny(range)).length;
}

/** Finds the archived nights that lose stages. */
async function findArchivedNights(
  client: BatchContext['client'],
  userKey: number,
  stages: readonly FoundStage[],
): Promise<{ sourceId: number; dates: string[] }[]> {
  const found: { sourceId: number; dates: string[] }[] = [];
  for (const [sourceId, own] of groupedBy(stages, (stage) => stage.sourceId)) {
    // Queries the stages' spans instead of joining the stages, because a join would compare each stage with each night.
    const spans = unionOf(own.map(({ startMs, endMs }) => [startMs, endMs]));
    const { rows } = await client.query<{ date: string; startMs: number; endMs: number }>(
      `select ${ARCHIVED_DATE} as date, extract(epoch from start_at)::float8 * 1000 as "startMs",
              extract(epoch from end_at)::float8 * 1000 as "endMs"
         from sleep_session s
        where user_key = $1 and source_id = $2 and assembled and not ${IS_ARCHIVED_AS_NAP}
          and start_at > to_timestamp(($3::float8 - $5) / 1000) and start_at < to_timestamp($4::float8 / 1000)
          and end_at > to_timestamp($3::float8 / 1000)`,
      [userKey, sourceId, spans[0]?.[0], spans.at(-1)?.[1], SLEEP_LENGTH.maxMs],
    );
    const nights = rows.filter(({ startMs, endMs }) => overlapsAny(spans, [startMs, endMs]));
    if (nights.length > 0) found.push({ sourceId, dates: nights.map(({ date }) => date) });
  }
  return found;
}

/** Finds the scores of nights with one of the ids, and of nights that lose their last stage. */
async function findScores(
  { client, userKey }: BatchContext,
  sourceIds: readonly number[],
  { stages, ids }: { stages: readonly FoundStage[]; ids: readonly IdEntry[] },
): Promise<{ id: string; externalId: string }[]> {
  const named = ids.filter(({ kinds }) => kinds === undefined || kinds === 'sleep').map(({ id }) => storableText(id));
  const lost = new Map<string, number>();
  for (const { sourceId, sessionId } of stages) {
    if (sessionId === null) continue;
    const key = `${sourceId} ${sessionId}`;
    lost.set(key, (lost.get(key) ?? 0) + 1);
  }
  const nights = [...new Set(stages.flatMap(({ sessionId }) => sessionId ?? []))];
  if (named.length + nights.length === 0) return [];
  const { rows } = await client.query<{ id: string; externalId: string; sourceId: number; stages: number }>(
    `select h.id, h.external_id as "externalId", h.source_id as "sourceId",
            (select count(*)::int from sleep_stage s
              where s.user_key = $1 and s.source_id = h.source_id and s.session_id = h.external_id) as stages
       from health_score h
      where h.user_key = $1 and h.source_id = any ($2::int[]) and h.external_id = any ($3::text[])`,
    [userKey, sourceIds, [...named, ...nights]],
  );
  const isNamed = new Set(named);
  return rows.filter(
    ({ externalId, sourceId, stages: left }) =>
      isNamed.has(externalId) || left <= (lost.get(`${sourceId} ${externalId}`) ?? 0),
  );
}

function spanOf(items: readonly { startMs: number; endMs?: number }[]): { fromMs: number; toMs: number } {
  let fromMs = Number.POSITIVE_INFINITY;
  let toMs = Number.NEGATIVE_INFINITY;
  for (const { startMs, endMs = startMs } of items) {
    fromMs = Math.min(fromMs, startMs);
    toMs = Math.max(toMs, endMs);
  }
  return { fromMs, toMs };
}

function sampleTrace({ typeId, sourceId, startMs, durationMs, value, slot }: PushedSample): ItemTrace {
  const content = contentOf(startMs + (durationMs ?? 0), value);
  return { sourceId, typeId, startMs: Math.round(startMs), content, knownId: knownIdOf(slot) };
}

export function stageTrace({ sourceId, startMs, endMs, stage }: FoundStage): ItemTrace {
  return {
    sourceId,
    typeId: SLEEP_ITEM,
    startMs: Math.round(startMs),
    content: contentOf(endMs, stage),
    knownId: '-1',
  };
}

function workoutTrace({ sourceId, startMs, endMs, type }: FoundWorkout): ItemTrace {
  return {
    sourceId,
    typeId: WORKOUT_ITEM,
    startMs: Math.round(startMs),
    content: contentOf(endMs, type),
    knownId: '-1',
  };
}

/** Identifies equal items without an id. */
export function traceKey({ sourceId, typeId, startMs, content }: ItemTrace): string {
  return `${sourceId} ${typeId} ${Math.floor(startMs / 1000)} ${content}`;
}

function sampleKey({ typeId, sourceId, startMs, slot }: PushedSample): string {
  return `${typeId} ${sourceId} ${startMs} ${slot}`;
}
