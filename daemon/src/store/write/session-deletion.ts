import { NIGHT_SECONDS } from '@healthd/model';
import type pg from 'pg';
import { lockUser } from '../../platform/database/index.js';
import { deleteArchivedNights } from '../archive/archive-deletion.js';
import { ARCHIVED_DATE, IS_ARCHIVED_AS_NAP } from '../archive/night-sources.js';
import { CHANGE } from '../facts/change.js';
import { addChangedRows, type ChangedRow, changedColumns } from '../facts/changes.js';
import { refreshNights } from '../derived/nights/night-value.js';
import { reassemble, stageIdsOf } from './plan-sleep.js';
import { forgetComparisons, loadSources } from '../facts/sources/source-rows.js';
import { type DeletedSession, type SessionTable, addTombstone, removeTombstone } from '../facts/tombstones.js';
import { loadContext } from './load-context.js';
import { refreshRollUps } from './roll-up-invalidations.js';
import { removeReadings, storedWorkout, WORKOUT_FACTS, type WorkoutFactsRow } from './workout-readings.js';

/**
 * Deletes one session. Returns false if the user has no session with this id. Also deletes a workout's readings, and an
 * assembled night's stages, because the next stage would restore the night. A tombstone prevents storing the session
 * again.
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
  // Comparisons of apps ignore items that were deleted here, so the last comparison is outdated.
  await forgetComparisons(client, userKey);
  if (table === 'sleep_session') return deleteSleep(client, userKey, id, sleepEndGapMinutes);
  if (table === 'workout') return deleteWorkout(client, userKey, id, sleepEndGapMinutes);
  const { rows } = await client.query<DeletedSession & ChangedRow>(
    `delete from ${table} s where s.user_key = $1 and s.id = $2
     returning ${DELETED_SESSION_COLUMNS}, null as "workoutType", ${changedColumns(table)}`,
    [userKey, id],
  );
  if (!rows[0]) return false;
  addChangedRows(client, userKey, table, CHANGE.deletedByPerson, rows);
  await addTombstone(client, userKey, table, rows[0]);
  return true;
}

/** Columns of a {@link DeletedSession}. */
const DELETED_SESSION_COLUMNS =
  'id, source_id as "sourceId", external_id as "externalId", start_at as "startAt", end_at as "endAt"';

/**
 * Accepts a deleted session again on its next delivery. Returns false if no session with this id was deleted.
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

/** Deletes a workout and its readings, in particular its positions. */
async function deleteWorkout(
  client: pg.ClientBase,
  userKey: number,
  id: string,
  sleepEndGapMinutes: number,
): Promise<boolean> {
  const { rows } = await client.query<DeletedSession & WorkoutFactsRow & ChangedRow>(
    `delete from workout s where s.user_key = $1 and s.id = $2
     returning ${DELETED_SESSION_COLUMNS}, s.type as "workoutType", ${WORKOUT_FACTS}, ${changedColumns('workout')}`,
    [userKey, id],
  );
  const row = rows[0];
  if (!row) return false;
  addChangedRows(client, userKey, 'workout', CHANGE.deletedByPerson, rows);
  await addTombstone(client, userKey, 'workout', row);
  const workout = storedWorkout(row);
  const span = { fromMs: workout.startMs, toMs: workout.endMs };
  const context = await loadContext(client, userKey, sleepEndGapMinutes, span);
  const sources = await loadSources(client, userKey);
  const days = await removeReadings({ ...context, sources }, [workout], CHANGE.deletedByPerson);
  await refreshRollUps(context, [{ dirtyDays: days, nights: new Set() }]);
  return true;
}

async function deleteSleep(
  client: pg.ClientBase,
  userKey: number,
  id: string,
  sleepEndGapMinutes: number,
): Promise<boolean> {
  // Includes awake stages and time in bed before and after the sleep, because they belong to the night.
  const { rows } = await client.query<
    DeletedSession &
      ChangedRow & { wakeDate: string; archivedDate: string; assembled: boolean; isArchivedAsNap: boolean }
  >(
    `delete from sleep_session s where s.user_key = $1 and s.id = $2
     returning id, source_id as "sourceId", external_id as "externalId", null as "workoutType", assembled,
               coalesce(asleep_seconds, 0) >= ${NIGHT_SECONDS} as "isNight", wake_date as "wakeDate", ${ARCHIVED_DATE} as "archivedDate", ${IS_ARCHIVED_AS_NAP} as "isArchivedAsNap",
               least(start_at, (select min((stage ->> 'start_time')::timestamptz)
                                  from jsonb_array_elements(stages) stage)) as "startAt",
               greatest(end_at, (select max((stage ->> 'end_time')::timestamptz)
                                   from jsonb_array_elements(stages) stage)) as "endAt", ${changedColumns('sleep_session')}`,
    [userKey, id],
  );
  const session = rows[0];
  if (!session) return false;
  addChangedRows(client, userKey, 'sleep_session', CHANGE.deletedByPerson, rows);
  const { sourceId, startAt, endAt, externalId } = session;
  const span = { sourceId, fromMs: startAt.getTime(), toMs: endAt.getTime() };
  const context = await loadContext(client, userKey, sleepEndGapMinutes, span);
  const stageIds = session.assembled ? await stageIdsOf(context, { ...span, externalId }) : [externalId];
  if (session.assembled) {
    await client.query(
      `delete from sleep_stage
        where user_key = $1 and source_id = $2 and start_at < $4 and end_at > $3
          and (session_id = any ($5::text[]) or session_id is null and $6)`,
      [userKey, sourceId, startAt, endAt, stageIds, stageIds.includes(null)],
    );
  }
  // Omits an ambiguous id, so that the tombstone applies by time. Any id of a night with several ids may be
  // redelivered, and a part of a divided night shares its id with the other parts.
  const isOnlyId = stageIds.length === 1 && !(await hasStagesOf(client, userKey, sourceId, externalId));
  await addTombstone(client, userKey, 'sleep_session', { ...session, externalId: isOnlyId ? externalId : null });
  if (!session.isArchivedAsNap) {
    await deleteArchivedNights(client, userKey, { sourceId, dates: [session.archivedDate] });
  }
  // A longer session from other stages may have replaced the night.
  const wakeDates = await reassemble(context, [span], CHANGE.deletedByPerson);
  await refreshNights(client, userKey, [session.wakeDate, ...wakeDates]);
  return true;
}

/** True if stages with a vendor's session id remain. They belong to another part of the night. */
async function hasStagesOf(
  client: pg.ClientBase,
  userKey: number,
  sourceId: number,
  externalId: string | null,
): Promise<boolean> {
  const { rows } = await client.query(
    'select from sleep_stage where user_key = $1 and session_id = $2 and source_id = $3 limit 1',
    [userKey, externalId, sourceId],
  );
  return rows.length > 0;
}
