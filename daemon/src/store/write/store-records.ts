import { type HealthRecord, pushedIdHash, type RecordBatch, type Rejected } from '@healthd/model';
import { type BatchRecords, sortRecords, type ValidItems } from '../decide/batch-records.js';
import { addStored } from '../decide/sessions.js';
import { HEALTH_SCORES, MENSTRUAL_CYCLES } from '../facts/events/event-kinds.js';
import { withHighestValues } from '../facts/events/highest-values.js';
import { storeVendorEvents } from '../facts/events/vendor-events.js';
import { withKnownSources } from '../facts/events/workout-sources.js';
import { WORKOUTS, type WorkoutRow } from '../facts/events/workouts.js';
import type { CollectionOutcome, WriteCounts } from '../facts/item-counts.js';
import { fillPersonalRecord } from '../facts/personal.js';
import type { PushedItem } from '../facts/pushed/pushed-items.js';
import { SLEEP_ITEM, WORKOUT_ITEM } from '../facts/pushed/pushed-tombstones.js';
import { reassembleAll } from './store-sleep.js';
import type { SourceSpan } from '../facts/sleep/source-span.js';
import { storeStages } from './store-stages.js';
import { VENDOR_SESSIONS, withoutOutdated } from '../facts/sleep/vendor-sessions.js';
import type { ResolvedSources } from '../facts/sources/resolved-source.js';
import type { WriteResult } from '../facts/write-result.js';
import type { BatchContext } from './load-context.js';
import { storeSessions } from './store-sessions.js';

/** Outcome of storing all records except samples. */
interface StoredRecords {
  collections: CollectionOutcome[];
  rejected: Rejected[];
  /** Stages and workouts that a phone pushed with ids. */
  pushed: PushedItem[];
  /** New or changed stages and workouts. */
  changed: SourceSpan[];
  /** Wake dates of changed nights. */
  wakeDates: string[];
  result: Pick<
    WriteResult,
    | 'sleepStages'
    | 'sleepSessions'
    | 'workouts'
    | 'menstrualCycles'
    | 'healthScores'
    | 'sleepSessionIds'
    | 'workoutIds'
    | 'changedStages'
    | 'displacedSessions'
  >;
}

/**
 * @param suppressed records that were deleted here earlier
 * @param isPushed true if a push wrote the batch
 * @param redated assembled sessions to reassemble although their stages are unchanged
 */
export async function storeRecords(
  context: BatchContext,
  records: RecordBatch['records'],
  sources: ResolvedSources,
  {
    suppressed,
    correctedSessions: corrected,
    redated,
    isPushed,
  }: {
    suppressed: ReadonlySet<HealthRecord>;
    correctedSessions: ReadonlySet<string>;
    redated: SourceSpan[];
    isPushed: boolean;
  },
): Promise<StoredRecords> {
  const { client, userKey, options, turns } = context;
  const { keepStored = false, fromFile = false } = options;
  const items = await turns.run(sortRecords(records, sources, suppressed));

  const stages = await storeStages(context, items.stages.rows, fromFile);
  const assembled = await reassembleAll(context, [...stages.changed, ...redated]);
  const versions = await withoutOutdated(context, items.nights.rows);
  const nights = await storeSessions(context, VENDOR_SESSIONS, versions, { keepStored, corrected });
  nights.counts.unchanged += items.nights.rows.length - versions.length;
  await turns.yieldIfLong();
  const placed = await withKnownSources(context, items.workouts.rows);
  await turns.yieldIfLong();
  const completions = placed.filter(({ isCompletion }) => isCompletion);
  const created = placed.filter(({ isCreation, isCompletion }) => isCreation && !isCompletion);
  const others = placed.filter(({ isCreation, isCompletion }) => !isCreation && !isCompletion);
  const workouts = await storeSessions(context, WORKOUTS, others, { keepStored, corrected, isPushed });
  addStored(workouts, await storeSessions(context, WORKOUTS, created, { keepStored: true, corrected }));
  addStored(workouts, await storeSessions(context, WORKOUTS, completions, { keepStored, completes: true, corrected }));
  const menstrualCycles = await storeVendorEvents(context, MENSTRUAL_CYCLES, items.cycles.rows, keepStored);
  await turns.yieldIfLong();
  const scores = await withHighestValues(context, items.scores.rows);
  const healthScores = await storeVendorEvents(context, HEALTH_SCORES, scores, keepStored);
  await turns.yieldIfLong();
  for (const record of items.personal) await fillPersonalRecord(client, userKey, record);

  const inserted = [...assembled.inserted, ...nights.ids.inserted];
  const updated = [...assembled.updated, ...nights.ids.updated];
  return {
    collections: [
      outcomeOf(items.stages, stages.counts, stages.rejected),
      outcomeOf(items.nights, nights.counts, nights.rejected),
      outcomeOf(items.workouts, workouts.counts, workouts.rejected),
      outcomeOf(items.cycles, menstrualCycles),
      outcomeOf(items.scores, healthScores),
    ],
    rejected: [
      ...items.stages.rejected,
      ...stages.rejected,
      ...assembled.rejected,
      ...items.nights.rejected,
      ...nights.rejected,
      ...items.workouts.rejected,
      ...workouts.rejected,
      ...items.rejectedFigures,
      ...items.cycles.rejected,
      ...items.scores.rejected,
    ],
    pushed: isPushed ? pushedRecords(items, placed) : [],
    changed: [...stages.changed, ...workouts.changed],
    wakeDates: [...assembled.wakeDates, ...nights.endDates],
    result: {
      sleepStages: stages.counts,
      sleepSessions: {
        inserted: inserted.length,
        updated: updated.length,
        unchanged: assembled.unchanged + nights.counts.unchanged,
      },
      workouts: workouts.counts,
      menstrualCycles,
      healthScores,
      sleepSessionIds: { inserted, updated },
      workoutIds: workouts.ids,
      changedStages: stages.changed,
      displacedSessions: [...nights.moved, ...workouts.moved],
    },
  };
}

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

/** @param tooMany valid items that exceed a limit together with stored items */
function outcomeOf<Row>(
  { rows, rejected }: ValidItems<Row>,
  counts: WriteCounts,
  tooMany: readonly Rejected[] = [],
): CollectionOutcome {
  return { given: rows.length - tooMany.length, counts, rejected: [...rejected, ...tooMany] };
}
