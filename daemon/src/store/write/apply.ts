import type { ComparisonChange } from '../decide/comparison.js';
import type { RecordChanges } from '../decide/records.js';
import { CHANGE } from '../facts/change.js';
import { addChangedRows, type ChangedRow, changedColumns } from '../facts/changes.js';
import { HEALTH_SCORES, MENSTRUAL_CYCLES } from '../facts/events/event-kinds.js';
import { writeEvents } from '../facts/events/event-store.js';
import { WORKOUTS } from '../facts/events/workouts.js';
import { requestJoining } from '../facts/pending-repairs.js';
import { fillPersonalRecord } from '../facts/personal.js';
import type { PushedItems, PushedSamples } from '../facts/pushed/pushed-items.js';
import { type DecidedDevice, listPushed } from '../facts/pushed/pushed-samples.js';
import { applySamples, type SampleChanges } from '../facts/samples/sample-store.js';
import { type StoredExtremes, storeExtremes } from '../facts/samples/stored-extremes.js';
import { VENDOR_SESSIONS } from '../facts/sleep/vendor-sessions.js';
import { growComparisons } from '../facts/sources/source-rows.js';
import type { BatchContext } from './load-context.js';
import { applySleep, type SleepChanges } from './plan-sleep.js';
import { type RedatedSessions, storeDates } from './redate-sessions.js';
import { applyRemoval, type Removal } from './removal.js';

/**
 * Changes that a batch's additions make. The decision has already read every stored row of health data that they touch,
 * so the statements only write. There are two exceptions: pushed ids are listed only once, and personal facts fill only
 * empty fields.
 */
export interface ChangeSet {
  /** Sessions, scores and archived positions that replaced windows lack. */
  removal: Removal;
  samples: SampleChanges;
  extremes: readonly StoredExtremes[];
  /** New local dates of stored sessions. */
  dates: Pick<RedatedSessions, 'nights' | 'workouts'>;
  sleep: SleepChanges;
  records: RecordChanges;
  /** Items that a phone pushed; undefined for batches from other senders. */
  pushed: { device: DecidedDevice; samples: PushedSamples; records: PushedItems } | undefined;
  comparison: ComparisonChange;
}

export async function applyChanges(context: BatchContext, changes: ChangeSet): Promise<void> {
  const { client, userKey, turns } = context;
  await applyRemoval(context, changes.removal);
  await applySamples(client, userKey, changes.samples, changes.pushed?.samples.inRows);
  await turns.yieldIfLong();
  await storeExtremes(client, userKey, changes.extremes);
  await storeDates(context, changes.dates);
  await applySleep(context, changes.sleep);
  await turns.yieldIfLong();
  await applyRecords(context, changes.records);
  await turns.yieldIfLong();
  if (changes.pushed) {
    const { device, samples, records } = changes.pushed;
    await listPushed(client, userKey, device, [samples.listed, records]);
    if (device.isNew) context.devices.push(device);
  }
  if (changes.comparison.isRequested) await requestJoining(client, userKey);
  await growComparisons(client, userKey, changes.comparison.grown);
}

async function applyRecords(context: BatchContext, changes: RecordChanges): Promise<void> {
  const { client, userKey } = context;
  const { movedWorkouts: moved } = changes;
  if (moved.length > 0) {
    const { rows } = await client.query<ChangedRow>(
      `update workout s set source_id = moved.source_id from unnest($2::uuid[], $3::int[]) as moved (id, source_id)
        where s.user_key = $1 and s.id = moved.id returning ${changedColumns('workout')}`,
      [userKey, moved.map(({ id }) => id), moved.map(({ sourceId }) => sourceId)],
    );
    addChangedRows(client, userKey, 'workout', CHANGE.corrected, rows);
  }
  await writeEvents(context, VENDOR_SESSIONS, changes.nights);
  await writeEvents(context, WORKOUTS, changes.workouts);
  await writeEvents(context, MENSTRUAL_CYCLES, changes.cycles);
  await writeEvents(context, HEALTH_SCORES, changes.scores);
  for (const record of changes.personal) await fillPersonalRecord(client, userKey, record);
}
