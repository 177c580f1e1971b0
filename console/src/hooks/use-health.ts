import {
  getBodySummary,
  getRecoverySummary,
  getWorkout,
  listHealthScores,
  listMenstrualCycles,
} from '@healthd/contract';
import { useQuery } from '@tanstack/react-query';
import { type Period, periodBounds } from '../period.js';
import { client } from '../session.js';
import { keepSameSubject } from './keep-same-subject.js';
import { queryKeys } from './query-keys.js';

/** Maximum number of days or cycles per request, more than the longest period contains. */
const MAX_DAYS = 100;
const MAX_SCORES = 1000;

/** Returns the current body values; null if there are none. */
export function useBody(userId: string) {
  return useQuery({
    queryKey: queryKeys.body(userId),
    queryFn: ({ signal }) => client.call(getBodySummary, { params: { user_id: userId }, query: {}, signal }),
  });
}

/** Returns daily recovery, newest first. */
export function useRecovery(userId: string, period: Period) {
  const bounds = periodBounds(period);
  const queryKey = queryKeys.recovery(userId, bounds);
  return useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const query = { ...bounds, limit: MAX_DAYS };
      const params = { user_id: userId };
      const { data, metadata } = await client.call(getRecoverySummary, { params, query, signal });
      return { rows: data.reverse(), ...metadata };
    },
    placeholderData: keepSameSubject(queryKey),
  });
}

/** Returns provider scores, newest first. */
export function useScores(userId: string, period: Period) {
  const bounds = periodBounds(period);
  const queryKey = queryKeys.scores(userId, bounds);
  return useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const query = { ...bounds, limit: MAX_SCORES };
      const { data, metadata } = await client.call(listHealthScores, { params: { user_id: userId }, query, signal });
      return { rows: data, ...metadata };
    },
    placeholderData: keepSameSubject(queryKey),
  });
}

/** Returns menstrual cycles that start in the period, newest first. */
export function useCycles(userId: string, period: Period) {
  const bounds = periodBounds(period);
  const queryKey = queryKeys.cycles(userId, bounds);
  return useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const query = { ...bounds, limit: MAX_DAYS };
      const { data, metadata } = await client.call(listMenstrualCycles, { params: { user_id: userId }, query, signal });
      return { rows: data, ...metadata };
    },
    placeholderData: keepSameSubject(queryKey),
  });
}

/** Returns a workout with its parts and samples. */
export function useWorkout(userId: string, workoutId: string) {
  return useQuery({
    queryKey: queryKeys.workout(userId, workoutId),
    queryFn: ({ signal }) => client.call(getWorkout, { params: { user_id: userId, workout_id: workoutId }, signal }),
  });
}
