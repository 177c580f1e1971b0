import {
  brokenLength,
  type PlausibleLength,
  type RejectionCode,
  WORKOUT_LENGTH,
  type WorkoutRecord,
} from '@healthd/model';

/** First and last storable instant: 0001-01-01 and 9999-12-30. Local dates around them still have four-digit years. */
export const FIRST_INSTANT_MS = -62_135_596_800_000;

export const LAST_INSTANT_MS = 253_402_128_000_000;

/** Returns why an interval cannot be stored; undefined if it can. @param longestMs maximum plausible length */
export function intervalFault(
  { startMs, endMs }: { startMs: number; endMs: number },
  longestMs: number,
): { field: string; code: RejectionCode } | undefined {
  if (!isStorableInstant(startMs)) return { field: 'start', code: 'invalid_date' };
  if (!isStorableInstant(endMs)) return { field: 'end', code: 'invalid_date' };
  if (endMs < startMs) return { field: 'end', code: 'end_before_start' };
  if (endMs === startMs) return { field: 'end', code: 'empty_interval' };
  if (endMs - startMs > longestMs) return { field: 'end', code: 'too_long' };
  return undefined;
}

/** Returns why a session cannot be stored; undefined if it can. */
export function sessionFault(
  session: { startMs: number; endMs: number },
  length: PlausibleLength,
): { field: string; code: RejectionCode; detail?: string } | undefined {
  const fault = intervalFault(session, Number.POSITIVE_INFINITY);
  if (fault) return fault;
  const bound = brokenLength(session, length);
  return bound === undefined ? undefined : { field: 'end', code: 'implausible', detail: bound };
}

/** Returns why a workout cannot be stored; undefined if it can. Checks its times and the times of its events and activities. */
export function workoutFault(
  workout: WorkoutRecord,
): { field: string; code: RejectionCode; detail?: string } | undefined {
  const fault = sessionFault(workout, WORKOUT_LENGTH);
  if (fault) return fault;
  const { events = [], activities = [] } = workout;
  if (!events.every(({ startMs }) => isStorableInstant(startMs))) return { field: 'events', code: 'invalid_date' };
  const isStorable = activities.every(
    ({ startMs, endMs = startMs }) => isStorableInstant(startMs) && isStorableInstant(endMs),
  );
  return isStorable ? undefined : { field: 'activities', code: 'invalid_date' };
}

/** True for instants between the first and the last storable instant. */
export function isStorableInstant(ms: number): boolean {
  return ms >= FIRST_INSTANT_MS && ms <= LAST_INSTANT_MS;
}
