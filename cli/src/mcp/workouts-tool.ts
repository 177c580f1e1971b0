import { listWorkouts } from '@healthd/contract';
import { localDate, MS_PER_DAY, parseOffset } from '@healthd/model';
import type { Workout } from '@healthd/schemas';
import { z } from 'zod';
import {
  attributionNote,
  MAX_RECORDS,
  PERIOD_INPUT,
  periodHeader,
  periodOf,
  sourceName,
  total,
  truncation,
  withheldNote,
} from './period.js';
import { defineTool } from './tool.js';

export const WORKOUTS_TOOL = defineTool({
  name: 'get_workout_events',
  title: 'Workouts',
  description:
    'Workouts that start on the days of a period, newest first: type, duration, distance, energy and heart rate, with totals by type. A workout that several devices recorded appears once.',
  input: {
    ...PERIOD_INPUT,
    workout_type: z
      .string()
      .max(100)
      .optional()
      .describe('Only workouts of this type, e.g. running, or part of its name'),
  },
  async run(context, { workout_type, ...input }) {
    periodOf(input);
    const header = await periodHeader(context, input);
    // The route compares instants. One extra day on each side covers the local days of every offset.
    const {
      data: around,
      pagination,
      metadata,
    } = await context.client.call(listWorkouts, {
      params: { user_id: input.user_id },
      query: {
        start_date: adjacentDay(input.start_date, -1),
        end_date: adjacentDay(input.end_date, 2),
        record_type: workout_type,
        filter_by_priority: true,
        limit: MAX_RECORDS,
      },
      signal: context.signal,
    });
    const data = around.filter((workout) => {
      const date = localDateOf(workout);
      return date >= input.start_date && date <= input.end_date;
    });
    const oldest = around.at(-1) && localDateOf(around.at(-1) as Workout);
    return {
      ...header,
      records: data.map(record),
      summary: summary(data),
      ...withheldNote(metadata.withheld),
      ...attributionNote(metadata.attribution),
      ...truncation(pagination.has_more, `Call again with the end_date ${oldest}. The summary covers these records.`),
    };
  },
});

/** Returns the user's local date on which a workout starts. */
function localDateOf({ start_time, local_offset }: Workout): string {
  return localDate(Date.parse(start_time), parseOffset(local_offset) ?? 0);
}

function adjacentDay(date: string, days: number): string {
  return new Date(Date.parse(date) + days * MS_PER_DAY).toISOString().slice(0, 10);
}

function record(workout: Workout) {
  return {
    id: workout.id,
    type: workout.type,
    name: workout.name,
    start_time: workout.start_time,
    end_time: workout.end_time,
    duration_seconds: workout.duration_seconds,
    distance_meters: workout.distance_meters,
    calories_kcal: workout.calories_kcal,
    avg_heart_rate_bpm: workout.avg_heart_rate_bpm,
    max_heart_rate_bpm: workout.max_heart_rate_bpm,
    elevation_gain_meters: workout.elevation_gain_meters,
    source: sourceName(workout.source),
  };
}

function summary(workouts: readonly Workout[]) {
  const types = [...new Set(workouts.map(({ type }) => type))].sort();
  const byType = types.map((type) => {
    const own = workouts.filter((workout) => workout.type === type);
    return [type, { count: own.length, ...totals(own) }] as const;
  });
  return { total_workouts: workouts.length, ...totals(workouts), by_type: Object.fromEntries(byType) };
}

function totals(workouts: readonly Workout[]) {
  return {
    total_duration_seconds: total(workouts.map(({ duration_seconds: seconds }) => seconds)),
    total_distance_meters: total(workouts.map(({ distance_meters: meters }) => meters)),
    total_calories_kcal: total(workouts.map(({ calories_kcal: kcal }) => kcal)),
  };
}
