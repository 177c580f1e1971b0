import {
  deleteMenstrualCycle,
  deleteSleepSession,
  deleteWorkout,
  restoreMenstrualCycle,
  restoreSleepSession,
  restoreWorkout,
} from '@healthd/schemas';
import { Failure } from '../../platform/failures.js';
import type { RecordWriter } from '../../store/write/index.js';
import { type Binding, bind } from '../binding.js';

const MISSING = {
  workout: 'Workout not found',
  sleep_session: 'Sleep session not found',
  menstrual_cycle: 'Menstrual cycle record not found',
} as const;

/** Deletes and restores single events through the writer, which updates the roll-ups. */
export function eventDeletionRoutes({
  writer,
}: {
  writer: Pick<RecordWriter, 'deleteSession' | 'restoreSession'>;
}): Binding[] {
  const remove = async (userKey: number, table: keyof typeof MISSING, id: string): Promise<undefined> => {
    if (!(await writer.deleteSession(userKey, table, id))) throw new Failure('not_found', MISSING[table]);
    return undefined;
  };
  const restore = async (userKey: number, table: keyof typeof MISSING, id: string): Promise<undefined> => {
    if (!(await writer.restoreSession(userKey, table, id))) throw new Failure('not_found', MISSING[table]);
    return undefined;
  };
  return [
    bind(deleteWorkout, ({ user, params }) => remove(user.userKey, 'workout', params.workout_id)),
    bind(restoreWorkout, ({ user, params }) => restore(user.userKey, 'workout', params.workout_id)),
    bind(deleteSleepSession, ({ user, params }) => remove(user.userKey, 'sleep_session', params.sleep_id)),
    bind(restoreSleepSession, ({ user, params }) => restore(user.userKey, 'sleep_session', params.sleep_id)),
    bind(deleteMenstrualCycle, ({ user, params }) => remove(user.userKey, 'menstrual_cycle', params.cycle_id)),
    bind(restoreMenstrualCycle, ({ user, params }) => restore(user.userKey, 'menstrual_cycle', params.cycle_id)),
  ];
}
