import type { HealthRecord, RecordBatch, SourceIdentity } from '@healthd/model';
import type pg from 'pg';
import { HEALTH_SCORES } from './health-scores.js';
import { MENSTRUAL_CYCLES } from './menstrual-cycles.js';
import type { OffsetTimeline } from './offset-timeline.js';
import { fillPersonalRecord } from './personal.js';
import { intervalFault, localDateAt } from './placement.js';
import { isStorableInstant } from './samples/sample-rows.js';
import { LONGEST_SESSION_MS } from './sleep/assembly.js';
import { reassemble } from './sleep/session-store.js';
import { joinSpans, type SourceSpan, storeStages } from './sleep/stage-store.js';
import { VENDOR_SESSIONS, type VendorSessionRow, vendorSessionRow, wakeDatesBefore } from './sleep/vendor-sessions.js';
import { type ResolvedSource, storedKey } from './sources.js';
import { storeVendorEvents } from './vendor-events.js';
import { WORKOUTS } from './workouts.js';
import type { WriteResult } from './write-result.js';

/** All that storing a batch's records needs. */
export interface RecordStoring {
  client: pg.ClientBase;
  userKey: number;
  records: RecordBatch['records'];
  sources: Map<string, ResolvedSource>;
  timeline: OffsetTimeline;
  sleepEndGapMinutes: number;
  /** Assembled sessions to place anew although no stage of theirs changed. */
  stale: SourceSpan[];
  /** Receives counts, ids and rejected items. */
  result: WriteResult;
}

/** Stores everything but samples and returns the wake dates whose nights changed. */
export async function storeRecords(storing: RecordStoring): Promise<Set<string>> {
  const wakeDates = new Set<string>();
  for (const date of await storeSleep(storing)) wakeDates.add(date);
  await storeWorkouts(storing);
  await storeCycles(storing);
  await storeScores(storing);
  for (const { record } of ofKind(storing.records, 'personal')) {
    await fillPersonalRecord(storing.client, storing.userKey, record);
  }
  return wakeDates;
}

async function storeSleep(storing: RecordStoring): Promise<string[]> {
  const { client, userKey, timeline, sleepEndGapMinutes, result } = storing;
  const wakeDates: string[] = [];
  const stages = await storeStages(
    client,
    userKey,
    ofKind(storing.records, 'sleep_stage').map((item) => ({
      ...item,
      sourceId: sourceOf(storing, item.record.source),
    })),
  );
  result.sleepStages = stages.counts;
  result.rejected.push(...stages.rejected);
  for (const span of joinSpans([...stages.changed, ...storing.stale])) {
    const session = await reassemble(client, userKey, span, sleepEndGapMinutes, timeline);
    addCounts(result, session.inserted, session.updated, session.unchanged);
    result.rejected.push(...session.rejected);
    wakeDates.push(...session.wakeDates);
  }

  const rows = ofKind(storing.records, 'sleep_session').flatMap(({ record, index }): VendorSessionRow[] => {
    const fault = intervalFault(record, LONGEST_SESSION_MS);
    if (fault) {
      result.rejected.push({ kind: 'rejected', collection: 'sleep_sessions', index, ...fault });
      return [];
    }
    const wakeDate = localDateAt(record.endMs, record.offsetMinutes, timeline);
    return [vendorSessionRow(record, sourceOf(storing, record.source), wakeDate)];
  });
  const before = await wakeDatesBefore(client, userKey, rows);
  const { counts, ids } = await storeVendorEvents(client, userKey, VENDOR_SESSIONS, rows);
  addCounts(result, ids.inserted, ids.updated, counts.unchanged);
  if (counts.inserted + counts.updated > 0) wakeDates.push(...before, ...rows.map(({ wakeDate }) => wakeDate));
  return wakeDates;
}

function addCounts(result: WriteResult, inserted: string[], updated: string[], unchanged: number): void {
  result.sleepSessions.inserted += inserted.length;
  result.sleepSessions.updated += updated.length;
  result.sleepSessions.unchanged += unchanged;
  result.sleepSessionIds.inserted.push(...inserted);
  result.sleepSessionIds.updated.push(...updated);
}

async function storeWorkouts(storing: RecordStoring): Promise<void> {
  const { client, userKey, timeline, result } = storing;
  const rows = ofKind(storing.records, 'workout').flatMap(({ record, index }) => {
    const fault = intervalFault(record, Number.POSITIVE_INFINITY);
    if (fault) {
      result.rejected.push({ kind: 'rejected', collection: 'workouts', index, ...fault });
      return [];
    }
    const localDate = localDateAt(record.endMs, record.offsetMinutes, timeline);
    return [{ ...record, sourceId: sourceOf(storing, record.source), localDate }];
  });
  const { counts, ids } = await storeVendorEvents(client, userKey, WORKOUTS, rows);
  result.workouts = counts;
  result.workoutIds = ids;
}

async function storeCycles(storing: RecordStoring): Promise<void> {
  const { client, userKey, result } = storing;
  const rows = ofKind(storing.records, 'menstrual_cycle').flatMap(({ record, index }) => {
    const fault = intervalFault(record, Number.POSITIVE_INFINITY);
    if (fault) {
      result.rejected.push({ kind: 'rejected', collection: 'menstrual_cycles', index, ...fault });
      return [];
    }
    return [{ ...record, sourceId: sourceOf(storing, record.source) }];
  });
  result.menstrualCycles = (await storeVendorEvents(client, userKey, MENSTRUAL_CYCLES, rows)).counts;
}

async function storeScores(storing: RecordStoring): Promise<void> {
  const { client, userKey, result } = storing;
  const rows = ofKind(storing.records, 'health_score').flatMap(({ record, index }) => {
    if (!isStorableInstant(record.atMs)) {
      result.rejected.push({ kind: 'rejected', collection: 'health_scores', index, field: 'at', code: 'invalid_date' });
      return [];
    }
    return [{ ...record, sourceId: sourceOf(storing, record.source), provider: record.source.provider }];
  });
  result.healthScores = (await storeVendorEvents(client, userKey, HEALTH_SCORES, rows)).counts;
}

function sourceOf({ sources }: RecordStoring, source: SourceIdentity): number {
  return sources.get(storedKey(source))?.sourceId as number;
}

/** Records of one kind with their positions in the batch. */
function ofKind<Kind extends HealthRecord['kind']>(
  records: RecordBatch['records'],
  kind: Kind,
): { record: Extract<HealthRecord, { kind: Kind }>; index: number }[] {
  return records.flatMap((record, index) =>
    record.kind === kind ? [{ record: record as Extract<HealthRecord, { kind: Kind }>, index }] : [],
  );
}
