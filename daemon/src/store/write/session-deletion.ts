import type pg from 'pg';
import { lockUser } from '../../platform/database/index.js';
import { deleteArchivedNights } from '../archive/archive-deletion.js';
import { refreshNights } from '../derived/nights/night-value.js';
import { reassemble, stageIdsOf } from './store-sleep.js';
import { forgetComparisons, loadSources } from '../facts/sources/source-rows.js';
import { type BuriedSession, type SessionTable, addTombstone, removeTombstone } from '../facts/tombstones.js';
import { loadContext } from './load-context.js';
import { refreshRollUps } from './roll-up-invalidations.js';
import { removeReadings, storedWorkout, WORKOUT_FACTS, type WorkoutFactsRow } from './workout-readings.js';

/**
 * Deletes one session; false when the user has none with this id. What was measured during a workout goes with it, and the
 * stages of an assembled night, because the next stage that arrives would bring it back; a tombstone keeps the session from
 * being stored again.
 * @throws UserMissingError
 */
export async function deleteSessionIn(
  client: pg.ClientBase,
  userKey: number,
  table: SessionTable,
  id: string,
  sleepEndGapMinutes: number,
): Promise<boolean> {
  await lockUser(client, userKey);
  // What is deleted here says nothing about which apps are one.
  await forgetComparisons(client, userKey);
  if (table === 'sleep_session') return deleteSleep(client, userKey, id, sleepEndGapMinutes);
  if (table === 'workout') return deleteWorkout(client, userKey, id, sleepEndGapMinutes);
  const { rows } = await client.query<BuriedSession>(
    `delete from ${table} where user_key = $1 and id = $2 returning ${BURIED}, null as "workoutType"`,
    [userKey, id],
  );
  if (!rows[0]) return false;
  await addTombstone(client, userKey, table, rows[0]);
  return true;
}

/** Columns of a {@link BuriedSession}. */
const BURIED = 'id, source_id as "sourceId", external_id as "externalId", start_at as "startAt", end_at as "endAt"';

/**
 * Lets a session that was deleted here come back with the next delivery that holds it; false when none was deleted under
 * this id.
 * @throws UserMissingError
 */
export async function restoreSessionIn(
  client: pg.ClientBase,
  userKey: number,
  table: SessionTable,
  id: string,
): Promise<boolean> {
  await lockUser(client, userKey);
  return removeTombstone(client, userKey, table, id);
}

/** What was measured during the workout goes with it, the places above all. */
async function deleteWorkout(
  client: pg.ClientBase,
  userKey: number,
  id: string,
  sleepEndGapMinutes: number,
): Promise<boolean> {
  const { rows } = await client.query<BuriedSession & WorkoutFactsRow>(
    `delete from workout s where s.user_key = $1 and s.id = $2
     returning ${BURIED}, s.type as "workoutType", ${WORKOUT_FACTS}`,
    [userKey, id],
  );
  const row = rows[0];
  if (!row) return false;
  await addTombstone(client, userKey, 'workout', row);
  const workout = storedWorkout(row);
  const span = { fromMs: workout.startMs, toMs: workout.endMs };
  const context = await loadContext(client, userKey, sleepEndGapMinutes, span);
  const sources = await loadSources(client, userKey);
  const { days } = await removeReadings({ ...context, sources }, [workout]);
  await refreshRollUps(context, [{ dirtyDays: days, nights: new Set() }]);
  return true;
}

async function deleteSleep(
  client: pg.ClientBase,
  userKey: number,
  id: string,
  sleepEndGapMinutes: number,
): Promise<boolean> {
  // Waking and time in bed before and after the sleep are parts of the night as well.
  const { rows } = await client.query<BuriedSession & { wakeDate: string; assembled: boolean; isNap: boolean }>(
    `delete from sleep_session where user_key = $1 and id = $2
     returning id, source_id as "sourceId", external_id as "externalId", null as "workoutType", assembled,
               wake_date as "wakeDate", is_nap as "isNap",
               least(start_at, (select min((stage ->> 'start_time')::timestamptz)
                                  from jsonb_array_elements(stages) stage)) as "startAt",
               greatest(end_at, (select max((stage ->> 'end_time')::timestamptz)
                                   from jsonb_array_elements(stages) stage)) as "endAt"`,
    [userKey, id],
  );
  const session = rows[0];
  if (!session) return false;
  const { sourceId, startAt, endAt, externalId } = session;
  const span = { sourceId, fromMs: startAt.getTime(), toMs: endAt.getTime() };
  const context = await loadContext(client, userKey, sleepEndGapMinutes, span);
  const stageIds = session.assembled ? await stageIdsOf(context, { ...span, externalId }) : [externalId];
  // Of a night that came under several ids any may come again, so none of them alone is deleted.
  await addTombstone(client, userKey, 'sleep_session', {
    ...session,
    externalId: stageIds.length > 1 ? null : externalId,
  });
  if (session.assembled) {
    await client.query(
      `delete from sleep_stage
        where user_key = $1 and source_id = $2 and start_at < $4 and end_at > $3
          and (session_id = any ($5::text[]) or session_id is null and $6)`,
      [userKey, sourceId, startAt, endAt, stageIds, stageIds.includes(null)],
    );
  }
  if (!session.isNap) await deleteArchivedNights(client, userKey, { sourceId, wakeDates: [session.wakeDate] });
  // A longer session of other stages may be the night now.
  const { wakeDates } = await reassemble(context, span);
  await refreshNights(client, userKey, [session.wakeDate, ...wakeDates]);
  return true;
}
