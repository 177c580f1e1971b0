import { dayNumber, fromDayNumber, pushedIdHash, type RecordBatch } from '@healthd/model';
import { type BatchRecords, sortRecords } from '../decide/batch-records.js';
import type { BatchRows } from '../decide/batch-rows.js';
import { comparisonAfter } from '../decide/comparison.js';
import { Identified } from '../decide/identified.js';
import { outcomeOf } from '../decide/records.js';
import { completeDays, daysOfRows, renamedDays, storedDays } from '../decide/sample-days.js';
import {
  changesOf,
  decideExtremes,
  droppedDays,
  givenExtremes,
  pushedSamples,
  samplesBeyondLimit,
} from '../decide/samples.js';
import type { TimelineChange } from '../decide/timeline.js';
import { DirtyDays } from '../facts/dirty-days.js';
import type { WrittenEvent } from '../facts/events/event-store.js';
import type { WorkoutRow } from '../facts/events/workouts.js';
import { type CollectionOutcome, itemCountsOf } from '../facts/item-counts.js';
import { type PushedItem, PushedItems } from '../facts/pushed/pushed-items.js';
import { decidePushDevice } from '../facts/pushed/pushed-samples.js';
import { SLEEP_ITEM, WORKOUT_ITEM } from '../facts/pushed/pushed-tombstones.js';
import { findExtremes } from '../facts/samples/stored-extremes.js';
import type { ResolvedSources } from '../facts/sources/resolved-source.js';
import type { ChangedIds, WriteResult } from '../facts/write-result.js';
import type { ChangeSet } from './apply.js';
import type { ArrivingItems } from './arriving.js';
import { decide } from './decide-batch.js';
import type { BatchContext } from './load-context.js';
import { loadRecords } from './load-records.js';
import { loadSamples, supersedeCondensed } from './load-samples.js';
import { planSleep } from './plan-sleep.js';
import { changedSpans, daysOfRedatedSamples } from './redate-samples.js';
import { findRedated } from './redate-sessions.js';
import { allRemoved, type Removed, removedBy } from './removal.js';
import { findReplaced, replacedRemoval } from './replacements.js';
import type { RollUpInvalidations } from './roll-up-invalidations.js';

/** Changes of a batch's additions and their outcome. */
export interface Plan {
  changes: ChangeSet;
  result: Omit<WriteResult, 'deletions'>;
  stale: RollUpInvalidations;
  identified: Identified;
  /** Local dates of new and changed workouts. */
  changedWorkouts: { date: string; isNew: boolean }[];
}

/**
 * Loads the stored items around a batch's additions and decides which changes to make. Writes nothing.
 * @param context contains the timeline after the batch
 * @param deleted items that the batch's deletions have already deleted
 */
export async function planAdditions(
  context: BatchContext,
  batch: RecordBatch,
  { given, suppressed, samples: sourced, rejected: sourceless }: ArrivingItems,
  { sources, timeline: change, deleted }: { sources: ResolvedSources; timeline: TimelineChange; deleted: Removed },
): Promise<Plan> {
  const { client, userKey, options, turns } = context;
  const { records } = batch;
  const redatedDays = await daysOfRedatedSamples(context, change);
  const redated = await findRedated(context, changedSpans(change));
  const replaced = await findReplaced(context, records, sources);
  const { grouped, snapshot } = await loadSamples(context, given, records, replaced.readings.samples);
  const compared = new Identified(
    await decide(context, 'samples', { rows: given.rows, positions: given.positions, snapshot }),
  );
  const identified = snapshot.isRestated ? compared : await supersedeCondensed(context, compared, grouped);
  const batchRows = { ...given, rows: identified.rows };
  const ranges = givenExtremes(sourced, batchRows);
  const extremes = decideExtremes(identified, ranges, await findExtremes(client, userKey, ranges));
  const samples = changesOf(identified);
  await turns.yieldIfLong();
  const items = await turns.run(sortRecords(records, sources, suppressed, batch.pushedBy !== undefined));
  const around = await loadRecords(context, items, { changes: samples, replaced, redated });
  const { stages: _, ...others } = items;
  const { rows: placedWorkouts, moved: movedWorkouts } = around.placed;
  const decided = await decide(context, 'records', {
    items: { ...others, workouts: { ...others.workouts, rows: placedWorkouts } },
    movedWorkouts,
    snapshot: around.snapshot,
    keepStored: options.keepStored ?? false,
  });
  const sleep = await planSleep(context, items.stages.rows, redated.assembled, options);

  const removal = replacedRemoval(replaced);
  const removed = allRemoved([deleted, removedBy(removal, change.after)]);
  const { dropped } = identified.decision;
  const dirtyDays = DirtyDays.union([
    removed.days,
    droppedDays(identified, change),
    redatedDays,
    await turns.run(storedDays(identified, change)),
    daysOfRows(identified.rows, extremes.rows, change.after),
  ]);
  const removedSamples = removed.samples + dropped.length;
  const complete = removedSamples === 0 ? await turns.run(completeDays(identified, grouped, change.after)) : undefined;
  const nights = new Set([
    ...sleep.sessions.wakeDates,
    ...decided.nights.endDates,
    ...removed.wakeDates,
    ...redated.nights.flatMap(({ before, date }) => [before, date]),
  ]);
  const comparison = comparisonAfter(context, {
    sources,
    dirtyDays,
    changedSessions: [...sleep.stages.changed, ...decided.workouts.changed],
    removesSessions: removed.sessions > 0,
  });
  const device = batch.pushedBy && decidePushDevice(context.devices, batch.pushedBy);
  const pushed = device && {
    device,
    samples: pushedSamples(identified, sourced, batchRows, device.device),
    records: PushedItems.of(pushedRecords(items, placedWorkouts)),
  };
  await turns.yieldIfLong();

  const ofSamples = samplesOutcome(identified, batchRows);
  const ofStages = outcomeOf(items.stages, sleep.stages.counts, sleep.stages.rejected);
  const outcomeCounts = identified.counts();
  const sleepIds = {
    inserted: [...sleep.sessions.ids.inserted, ...decided.nights.ids.inserted],
    updated: [...sleep.sessions.ids.updated, ...decided.nights.ids.updated],
  };
  const result: Plan['result'] = {
    items: itemCountsOf([ofSamples, ofStages, ...decided.collections], {
      rejected: sourceless.length,
      archived: outcomeCounts.archived,
      superseded: outcomeCounts.superseded,
      suppressed: suppressed.size + given.suppressed,
    }),
    samples: ofSamples.counts,
    sleepStages: sleep.stages.counts,
    sleepSessions: {
      inserted: sleepIds.inserted.length,
      updated: sleepIds.updated.length,
      unchanged: sleep.sessions.unchanged + decided.nights.counts.unchanged,
    },
    workouts: decided.workouts.counts,
    menstrualCycles: decided.cycles,
    healthScores: decided.scores,
    deleted: { samples: removedSamples, sessions: removed.sessions, healthScores: removed.healthScores },
    dates: dateRange([...dirtyDays.allDays, ...[...nights].map((date) => dayNumber(date) as number)]),
    sleepSessionIds: sleepIds,
    workoutIds: decided.workouts.ids,
    changedStages: sleep.stages.changed,
    displacedSessions: [...decided.nights.moved, ...decided.workouts.moved, ...removed.gone],
    rejected: [
      ...ofSamples.rejected,
      ...sourceless,
      ...ofStages.rejected,
      ...sleep.sessions.rejected,
      ...decided.rejected,
    ],
  };
  const changes: ChangeSet = {
    removal,
    samples,
    extremes: extremes.extremes,
    dates: redated,
    sleep: { stages: sleep.stages.written, sessions: sleep.sessions.written, removed: sleep.sessions.removed },
    records: decided.changes,
    pushed,
    comparison,
  };
  const changedWorkouts = datesOf(decided.changes.workouts, decided.workouts.ids);
  const renamed = await turns.run(renamedDays(identified, change));
  return { changes, result, stale: { dirtyDays, nights, renamed, complete }, identified, changedWorkouts };
}

function datesOf(written: readonly WrittenEvent[], ids: ChangedIds): Plan['changedWorkouts'] {
  const inserted = new Set(ids.inserted);
  const updated = new Set(ids.updated);
  return written
    .filter(({ id }) => inserted.has(id) || updated.has(id))
    .map(({ id, values }) => ({ date: values.local_date as string, isNew: inserted.has(id) }));
}

function samplesOutcome(identified: Identified, rows: BatchRows): CollectionOutcome {
  const { insert, updated, unchanged, duplicate } = identified.counts();
  return {
    given: insert + updated + unchanged + duplicate,
    counts: { inserted: insert, updated, unchanged },
    rejected: [...rows.rejected, ...samplesBeyondLimit(identified, rows)],
  };
}

/** Returns the stages and workouts that a phone pushed with ids. */
function pushedRecords({ stages }: BatchRecords, workouts: readonly WorkoutRow[]): PushedItem[] {
  const items: PushedItem[] = [];
  for (const { record, sourceId } of stages.rows) {
    const { pushedId, sessionId, startMs } = record;
    if (pushedId === undefined) continue;
    const parent = sessionId === undefined ? undefined : pushedIdHash(sessionId);
    items.push({ id: pushedIdHash(pushedId), parent, startMs, sourceId, slot: 0, typeId: SLEEP_ITEM });
  }
  for (const { pushedId, startMs, sourceId } of workouts) {
    if (pushedId === undefined) continue;
    items.push({ id: pushedIdHash(pushedId), parent: undefined, startMs, sourceId, slot: 0, typeId: WORKOUT_ITEM });
  }
  return items;
}

function dateRange(days: readonly number[]): WriteResult['dates'] {
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const day of days) {
    if (day < from) from = day;
    if (day > to) to = day;
  }
  return from <= to ? { from: fromDayNumber(from), to: fromDayNumber(to) } : undefined;
}
