import { getActivitySummary } from '@healthd/contract';
import type { ActivitySummary } from '@healthd/schemas';
import {
  attributionNote,
  average,
  MAX_PERIOD_DAYS,
  PERIOD_INPUT,
  periodHeader,
  periodOf,
  sourceName,
  total,
  withheldNote,
} from './period.js';
import { defineTool } from './tool.js';

export const ACTIVITY_TOOL = defineTool({
  name: 'get_activity_summary',
  title: 'Daily activity',
  description:
    'Steps, distance in meters, energy in kcal, active minutes, heart rate and floors of each day of a period, with totals. Days without data have no record.',
  input: PERIOD_INPUT,
  async run(context, input) {
    const { start, end, days } = periodOf(input);
    const header = await periodHeader(context, input);
    const { data, metadata } = await context.client.call(getActivitySummary, {
      params: { user_id: input.user_id },
      query: { start_date: start, end_date: end, limit: MAX_PERIOD_DAYS },
      signal: context.signal,
    });
    return {
      ...header,
      records: data.map(record),
      summary: summary(data, days),
      ...withheldNote(metadata.withheld),
      ...attributionNote(metadata.attribution),
    };
  },
});

function record(day: ActivitySummary) {
  return {
    date: day.date,
    steps: day.steps,
    distance_meters: day.distance_meters,
    active_calories_kcal: day.active_calories_kcal,
    total_calories_kcal: day.total_calories_kcal,
    active_minutes: day.active_minutes,
    heart_rate: day.heart_rate,
    intensity_minutes: day.intensity_minutes,
    floors_climbed: day.floors_climbed,
    source: sourceName(day.source),
    ...withheldNote(day.withheld),
  };
}

function summary(days: readonly ActivitySummary[], totalDays: number) {
  return {
    total_days: totalDays,
    days_with_data: days.length,
    total_steps: total(days.map(({ steps }) => steps)),
    avg_steps: average(days.map(({ steps }) => steps)),
    total_distance_meters: total(days.map(({ distance_meters: meters }) => meters)),
    total_active_calories_kcal: total(days.map(({ active_calories_kcal: kcal }) => kcal)),
    total_calories_kcal: total(days.map(({ total_calories_kcal: kcal }) => kcal)),
    avg_active_minutes: average(days.map(({ active_minutes: minutes }) => minutes)),
    total_intensity_minutes: {
      light: total(days.map(({ intensity_minutes: minutes }) => minutes?.light)),
      moderate: total(days.map(({ intensity_minutes: minutes }) => minutes?.moderate)),
      vigorous: total(days.map(({ intensity_minutes: minutes }) => minutes?.vigorous)),
    },
  };
}
