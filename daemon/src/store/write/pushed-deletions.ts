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
import { findPushedIn, knownIdOf, type PushedSample, unlistIds, unlistIn } from '../facts/pushed/pushed-samples.js';
import {
  ANY_ITEM,
  bury,
  buryEmptyNights,
  contentOf,
  exhume,
  type ItemTrace,
  SLEEP_ITEM,
  WORKOUT_ITEM,
} from '../facts/pushed/pushed-tombstones.js';
import { allocateRows } from '../facts/samples/sample-rows.js';
import { reassembleAll } from './store-sleep.js';
import { knownSource } from '../facts/sources/source-aliases.js';
import { forgetComparisons } from '../facts/sources/source-rows.js';
import { storedKey } from '../facts/sources/stored-source.js';
import { storableText } from '../facts/storable-text.js';
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
import { allRemoved, nothingRemoved, type Removed } from './removed.js';
import { removeRows } from './removed-samples.js';
import { removeReadings, storedWorkout } from './workout-readings.js';

/** Outcome of a phone's deletions: deleted items, and entries without a stored match. */
export interface PushedDeletionCounts {
  deleted: number;
  notFound: number;
}

/** Items in the same batch as the deletions. An edit arrives as a deletion and an addition. */
export interface Additions {
  /** Ids of its items from `pushedIdKey`. */
  ids: ReadonlySet<string>;
  /** Items without an id. */
  items: readonly ItemTrace[];
  /** All items with their ids. */
  identified: readonly { keys: readonly string[]; trace: ItemTrace }[];
}

/**
 * Applies a phone's deletions before the batch's additions. Deletes only rows that a push of the same provider wrote;
 * ranges also require the same source. Keeps data of clouds and files, so that a stolen device token cannot delete it.
 */
export async function applyPushedDeletions(
  context: BatchContext,
  provider: ProviderId,
  deletions: readonly PushedDeletion[],
  additions: Additions,
): Promise<{ removed: Removed; counts: PushedDeletionCounts }> {
  const { client, userKey, turns } = context;
  const own = [...context.sources.values()].filter((source) => source.provider === provider && !source.from_cloud);
  const sourceIds = own.map(({ source_id: sourceId }) => sourceId);
  const isOwn = new Set(sourceIds);
  const ids = idEntries(deletions);
  const ranges = deletions.flatMap((deletion): RangeEntry[] => {
    if ('id' in deletion) return [];
    const { kinds, startMs, endMs } = deletion;
    const row = context.sources.get(storedKey(knownSource(deletion.source, context.aliases)));
    return [{ kinds, startMs, endMs, sourceId: row && isOwn.has(row.source_id) ? row.source_id : undefined }];
  });

  const byIds = await findByIds(
    context,
    sourceIds,
    own.filter((row) => row.has_unlisted_ids),
    ids,
  );
  await turns.yieldIfLong();
  const stretches = stretchesOf(ranges);
  const inRanges = {
    samples: await findPushedIn(client, userKey, stretches.samples),
    stages: await stagesIn(context, stretches.sleep),
    workouts: await workoutsIn(context, stretches.workouts),
  };
  await turns.yieldIfLong();
  const samples = distinct([...byIds.samples, ...inRanges.samples], sampleKey);
  const stages = distinct([...byIds.stages, ...inRanges.stages], stageKey);
  const workouts = distinct([...byIds.workouts, ...inRanges.workouts], ({ id }) => id);

  const restated = new Set(additions.items.map(traceKey));
  const goneStages = stages.filter(
    (stage) => !restated.has(traceKey(stageTrace(stage))) && !additions.ids.has(stage.pushedId ?? ''),
  );
  await dropArchivedNights(client, userKey, goneStages);
  const { removed, scoreIds } = await removeItems(context, sourceIds, { samples, stages, workouts }, ids);
  await turns.yieldIfLong();
  const listed = ids.flatMap(({ key, kinds }): { key: string; typeId: number | undefined }[] => {
    return kinds === undefined ? [{ key, typeId: undefined }] : typeIdsOf(kinds).map((typeId) => ({ key, typeId }));
  });
  await unlistIds(client, userKey, sourceIds, listed);
  const unlisted = await unlistIn(client, userKey, Object.values(stretches).flat());
  const gone = [
    ...ids.flatMap(({ key, kinds }) =>
      (kinds === undefined ? [ANY_ITEM] : typeIdsOf(kinds)).map((typeId) => ({ key, typeId })),
    ),
    ...unlisted,
    ...scoreIds.map((id) => ({ key: pushedIdKey(id), typeId: SLEEP_ITEM })),
  ];
  await turns.yieldIfLong();
  const traces = [...samples.map(sampleTrace), ...stages.map(stageTrace), ...workouts.map(workoutTrace)];
  await bury(client, userKey, provider, {
    ids: gone.filter(({ key }) => !additions.ids.has(key)),
    items: traces.filter((trace) => !restated.has(traceKey(trace))),
  });
  const again = new Set(gone.flatMap(({ key }) => (additions.ids.has(key) ? [key] : [])));
  const readded = additions.identified.filter(({ keys }) => keys.some((key) => again.has(key)));
  await exhume(client, userKey, provider, { ids: [...again], items: readded.map(({ trace }) => trace) });
  if (traces.length > 0) await forgetComparisons(client, userKey);

  const found = byIds.entries.size;
  const emptyRanges = countEmpty(ranges, inRanges);
  const inRangesOnly =
    traces.length - distinct(byIds.samples, sampleKey).length - byIds.stages.length - byIds.workouts.length;
  return {
    removed,
    counts: { deleted: found + inRangesOnly, notFound: ids.length - found + emptyRanges },
  };
}

/** Number of ranges without a deleted row. */
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

/** Position of the first number that is at least `from`. */
function firstFrom(sorted: readonly number[], from: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Deletes archived readings of nights that lose stages. Call before deleting the stages. */
async function dropArchivedNights(
  client: BatchContext['client'],
  userKey: number,
  stages: readonly FoundStage[],
): Promise<void> {
  for (const [sourceId, own] of groupedBy(stages, (stage) => stage.sourceId)) {
    // A join would compare each stage with each night.
    const spans = unionOf(own.map(({ startMs, endMs }) => [startMs, endMs]));
    const { rows } = await client.query<{ wakeDate: string; startMs: number; endMs: number }>(
      `select wake_date as "wakeDate", extract(epoch from start_at)::float8 * 1000 as "startMs",
              extract(epoch from end_at)::float8 * 1000 as "endMs"
         from sleep_session
        where user_key = $1 and source_id = $2 and assembled and not is_nap
          and start_at > to_timestamp(($3::float8 - $5) / 1000) and start_at < to_timestamp($4::float8 / 1000)
          and end_at > to_timestamp($3::float8 / 1000)`,
      [userKey, sourceId, spans[0]?.[0], spans.at(-1)?.[1], SLEEP_LENGTH.maxMs],
    );
    const nights = rows.filter(({ startMs, endMs }) => overlapsAny(spans, [startMs, endMs]));
    await deleteArchivedNights(client, userKey, { sourceId, wakeDates: nights.map(({ wakeDate }) => wakeDate) });
  }
}

/** Deletes the rows, their dependent rows, and the scores of nights. */
async function removeItems(
  context: BatchContext,
  sourceIds: readonly number[],
  { samples, stages, workouts }: { samples: PushedSample[]; stages: FoundStage[]; workouts: FoundWorkout[] },
  ids: readonly IdEntry[],
): Promise<{ removed: Removed; scoreIds: readonly string[] }> {
  const { client, userKey, sleepEndGapMinutes, sources } = context;
  const parts: Removed[] = [];
  const span = spanOf([...samples, ...stages, ...workouts]);
  const around = { ...(await loadContext(client, userKey, sleepEndGapMinutes, span)), sources };
  if (samples.length > 0) {
    const rows = allocateRows(samples.length);
    for (const [row, sample] of samples.entries()) {
      rows.typeId[row] = sample.typeId;
      rows.sourceId[row] = sample.sourceId;
      rows.kind[row] = kindOfSlot(sample.slot);
      rows.slot[row] = sample.slot;
      rows.startMs[row] = Math.round(sample.startMs);
      rows.offsetMinutes[row] = sample.offsetMinutes ?? NO_OFFSET;
    }
    parts.push(await removeRows(around, rows));
  }
  if (workouts.length > 0) {
    await client.query('delete from workout where user_key = $1 and id = any ($2::uuid[])', [
      userKey,
      workouts.map(({ id }) => id),
    ]);
    parts.push({ ...nothingRemoved(), sessions: workouts.length });
    parts.push(await removeReadings(around, workouts.map(storedWorkout)));
  }
  if (stages.length > 0) {
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
    await buryEmptyNights(client, userKey, [...new Set(stages.map(({ sourceId }) => sourceId))], spanOf(stages));
    const changed = stages.map(({ sourceId, startMs, endMs }) => ({ sourceId, fromMs: startMs, toMs: endMs }));
    const { wakeDates } = await reassembleAll(around, changed);
    parts.push({ ...nothingRemoved(), wakeDates: [...wakeDates] });
  }
  const scoreIds = await removeScores(context, sourceIds, { stages, ids });
  parts.push({ ...nothingRemoved(), healthScores: scoreIds.length });
  return { removed: allRemoved(parts), scoreIds };
}

/** Deletes the vendor's score of a night with the night's id or its last stage. @returns the ids of scores */
async function removeScores(
  { client, userKey }: BatchContext,
  sourceIds: readonly number[],
  { stages, ids }: { stages: readonly FoundStage[]; ids: readonly IdEntry[] },
): Promise<string[]> {
  const named = ids.filter(({ kinds }) => kinds === undefined || kinds === 'sleep').map(({ id }) => storableText(id));
  const nights = [...new Set(stages.flatMap(({ sessionId }) => sessionId ?? []))];
  if (named.length + nights.length === 0) return [];
  const { rows } = await client.query<{ id: string }>(
    `delete from health_score h
      where h.user_key = $1 and h.source_id = any ($2::int[])
        and (h.external_id = any ($3::text[])
             or h.external_id = any ($4::text[])
                and not exists (select from sleep_stage s
                                 where s.user_key = $1 and s.source_id = h.source_id and s.session_id = h.external_id))
      returning h.external_id as id`,
    [userKey, sourceIds, named, nights],
  );
  return rows.map(({ id }) => id);
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

function stageTrace({ sourceId, startMs, endMs, stage }: FoundStage): ItemTrace {
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

function traceKey({ sourceId, typeId, startMs, content }: ItemTrace): string {
  return `${sourceId} ${typeId} ${Math.floor(startMs / 1000)} ${content}`;
}

function sampleKey({ typeId, sourceId, startMs, slot }: PushedSample): string {
  return `${typeId} ${sourceId} ${startMs} ${slot}`;
}
