import { deleteMenstrualCycle, deleteSleepSession, deleteWorkout } from '@healthd/api';
import { Failure } from '../../failures.js';
import type { RecordWriter, SessionTable } from '../../records/index.js';
import { type Binding, bind } from '../binding.js';

/** Deletes single events through the writer, which brings the roll-ups up to date. */
export function eventDeletionRoutes({ writer }: { writer: Pick<RecordWriter, 'deleteSession'> }): Binding[] {
  const remove = async (userKey: number, table: SessionTable, id: string, missing: string): Promise<undefined> => {
    if (!(await writer.deleteSession(userKey, table, id))) throw new Failure('not_found', missing);
    return undefined;
  };
  return [
    bind(deleteWorkout, ({ user, params }) => remove(user.userKey, 'workout', params.workout_id, 'Workout not found')),
    bind(deleteSleepSession, ({ user, params }) =>
      remove(user.userKey, 'sleep_session', params.sleep_id, 'Sleep session not found'),
    ),
    bind(deleteMenstrualCycle, ({ user, params }) =>
      remove(user.userKey, 'menstrual_cycle', params.cycle_id, 'Menstrual cycle record not found'),
    ),
  ];
}
