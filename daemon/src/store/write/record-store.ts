import {
  countItems,
  type HealthRecord,
  type RecordBatch,
  SLEEP_LENGTH,
  type SourceIdentity,
  WORKOUT_LENGTH,
} from '@healthd/model';
import type pg from 'pg';
import { HEALTH_SCORES } from '../facts/events/health-scores.js';
import { storeSessions } from '../facts/events/identified-sessions.js';
import { MENSTRUAL_CYCLES } from '../facts/events/menstrual-cycles.js';
import { storeVendorEvents } from '../facts/events/vendor-events.js';
import { WORKOUTS } from '../facts/events/workouts.js';
import type { OffsetTimeline } from '../facts/offsets/offset-timeline.js';
import { intervalFault, sessionFault } from '../facts/offsets/placement.js';
import { fillPersonalRecord } from '../facts/personal.js';
import { isStorableInstant } from '../facts/samples/sample-rows.js';
import { reassemble } from '../facts/sleep/session-store.js';
import type { SourceSpan } from '../facts/sleep/source-span.js';
import { joinSpans, storeStages } from '../facts/sleep/stage-store.js';
import { VENDOR_SESSIONS, type VendorSessionRow, vendorSessionRow } from '../facts/sleep/vendor-sessions.js';
import { type ResolvedSource, storedKey } from '../facts/sources/sources.js';
import { suppressedRecords } from '../facts/tombstones.js';
import { countStored, rejectItem, type WriteResult } from '../facts/write-result.js';

/** All that storing a batch's records needs. */
export interface RecordStoring {
  client: pg.ClientBase;
  userKey: number;
  records: RecordBatch['records'];
  sources: Map<string, ResolvedSource>;
  timeline: OffsetTimeline;
  sleepEndGapMinutes: number;
  /** Events that are stored already stay as they are. */
  keepStored: boolean;
  /** Ids of sessions that a replaced window gives with another end. */
  corrected: ReadonlySet<string>;
  /** Assembled sessions to place anew although no stage of theirs changed. */
  stale: SourceSpan[];
  /** The records were read out of a file. */
  fromFile: boolean;
  /** Receives counts, ids and rejected items. */
  result: WriteResult;
}

interface Storing extends RecordStoring {
  /** What was deleted here before is not stored again. */
  suppressed: ReadonlySet<HealthRecord>;
}

/** Stores everything but samples and returns the wake dates whose nights changed. */
export async function storeRecords(given: RecordStoring): Promise<Set<string>> {
  const suppressed = await suppressedRecords(given.client, given.userKey, given.records, given.sources);
  countItems(given.result.items, 'suppressed', suppressed.size);
  const storing: Storing = { ...given, suppressed };
  const wakeDates = new Set<string>();
  for (const date of await storeSleep(storing)) wakeDates.add(date);
  await storeWorkouts(storing);
  await storeCycles(storing);
  await storeScores(storing);
  for (const { record } of ofKind(storing, 'personal')) {
    await fillPersonalRecord(storing.client, storing.userKey, record);
  }
  return wakeDates;
}

async function storeSleep(storing: Storing): Promise<string[]> {
  const { client, userKey, timeline, sleepEndGapMinutes, result } = storing;
  const wakeDates: string[] = [];
  const stages = await storeStages(
    client,
    userKey,
    ofKind(storing, 'sleep_stage').map((item) => ({
      ...item,
      sourceId: sourceOf(storing, item.record.source),
    })),
    storing.fromFile,
  );
  result.sleepStages = stages.counts;
  result.changedStages = stages.changed;
  for (const item of stages.rejected) rejectItem(result, item);
  countStored(result, stages.valid, stages.counts);
  for (const span of joinSpans([...stages.changed, ...storing.stale])) {
    const session = await reassemble(client, userKey, span, sleepEndGapMinutes, timeline);
    addCounts(result, session.inserted, session.updated, session.unchanged);
    result.rejected.push(...session.rejected);
    wakeDates.push(...session.wakeDates);
  }

  const rows = ofKind(storing, 'sleep_session').flatMap(({ record, index }): VendorSessionRow[] => {
    const fault = sessionFault(record, SLEEP_LENGTH);
    if (fault) {
      rejectItem(result, { kind: 'rejected', collection: 'sleep_sessions', index, ...fault });
      return [];
    }
    return [vendorSessionRow(record, sourceOf(storing, record.source))];
  });
  const { counts, ids, endDates } = await storeSessions(client, userKey, VENDOR_SESSIONS, rows, storing);
  addCounts(result, ids.inserted, ids.updated, counts.unchanged);
  countStored(result, rows.length, counts);
  return [...wakeDates, ...endDates];
}

function addCounts(result: WriteResult, inserted: string[], updated: string[], unchanged: number): void {
  result.sleepSessions.inserted += inserted.length;
  result.sleepSessions.updated += updated.length;
  result.sleepSessions.unchanged += unchanged;
  result.sleepSessionIds.inserted.push(...inserted);
  result.sleepSessionIds.updated.push(...updated);
}

async function storeWorkouts(storing: Storing): Promise<void> {
  const { client, userKey, result } = storing;
  const rows = ofKind(storing, 'workout').flatMap(({ record, index }) => {
    const fault = sessionFault(record, WORKOUT_LENGTH);
    if (fault) {
      rejectItem(result, { kind: 'rejected', collection: 'workouts', index, ...fault });
      return [];
    }
    return [{ ...record, sourceId: sourceOf(storing, record.source) }];
  });
  const { counts, ids } = await storeSessions(client, userKey, WORKOUTS, rows, storing);
  result.workouts = counts;
  countStored(result, rows.length, counts);
  result.workoutIds = ids;
}

async function storeCycles(storing: Storing): Promise<void> {
  const { client, userKey, result } = storing;
  const rows = ofKind(storing, 'menstrual_cycle').flatMap(({ record, index }) => {
    const fault = intervalFault(record, Number.POSITIVE_INFINITY);
    if (fault) {
      rejectItem(result, { kind: 'rejected', collection: 'menstrual_cycles', index, ...fault });
      return [];
    }
    return [{ ...record, sourceId: sourceOf(storing, record.source) }];
  });
  result.menstrualCycles = (await storeVendorEvents(client, userKey, MENSTRUAL_CYCLES, rows, storing)).counts;
  countStored(result, rows.length, result.menstrualCycles);
}

async function storeScores(storing: Storing): Promise<void> {
  const { client, userKey, result } = storing;
  const rows = ofKind(storing, 'health_score').flatMap(({ record, index }) => {
    if (!isStorableInstant(record.atMs)) {
      rejectItem(result, { kind: 'rejected', collection: 'health_scores', index, field: 'at', code: 'invalid_date' });
      return [];
    }
    return [{ ...record, sourceId: sourceOf(storing, record.source), provider: record.source.provider }];
  });
  result.healthScores = (await storeVendorEvents(client, userKey, HEALTH_SCORES, rows, storing)).counts;
  countStored(result, rows.length, result.healthScores);
}

function sourceOf({ sources }: RecordStoring, source: SourceIdentity): number {
  return sources.get(storedKey(source))?.sourceId as number;
}

/** Records of one kind that are to be stored, with their positions in the batch. */
function ofKind<Kind extends HealthRecord['kind']>(
  { records, suppressed }: Storing,
  kind: Kind,
): { record: Extract<HealthRecord, { kind: Kind }>; index: number }[] {
  return records.flatMap((record, index) =>
    record.kind === kind && !suppressed.has(record)
      ? [{ record: record as Extract<HealthRecord, { kind: Kind }>, index }]
      : [],
  );
}
