import type pg from 'pg';
import type { RecordChanges } from '../decide/records.js';
import { HEALTH_SCORES, MENSTRUAL_CYCLES } from '../facts/events/event-kinds.js';
import { writeEvents } from '../facts/events/event-store.js';
import { WORKOUTS } from '../facts/events/workouts.js';
import { fillPersonalRecord } from '../facts/personal.js';
import { VENDOR_SESSIONS } from '../facts/sleep/vendor-sessions.js';

/** Writes a batch's workouts, vendors' nights, cycles, scores and personal facts. */
export async function applyRecords(client: pg.ClientBase, userKey: number, changes: RecordChanges): Promise<void> {
  const { movedWorkouts: moved } = changes;
  if (moved.length > 0) {
    await client.query(
      `update workout s set source_id = moved.source_id from unnest($2::uuid[], $3::int[]) as moved (id, source_id)
        where s.user_key = $1 and s.id = moved.id`,
      [userKey, moved.map(({ id }) => id), moved.map(({ sourceId }) => sourceId)],
    );
  }
  await writeEvents(client, userKey, VENDOR_SESSIONS, changes.nights);
  await writeEvents(client, userKey, WORKOUTS, changes.workouts);
  await writeEvents(client, userKey, MENSTRUAL_CYCLES, changes.cycles);
  await writeEvents(client, userKey, HEALTH_SCORES, changes.scores);
  for (const record of changes.personal) await fillPersonalRecord(client, userKey, record);
}
