import { getSleepSummary } from '@healthd/contract';
import type { SleepSummary } from '@healthd/schemas';
import {
  attributionNote,
  average,
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

export const SLEEP_TOOL = defineTool({
  name: 'get_sleep_summary',
  title: 'Sleep by night',
  description:
    'Each night of a period by wake date: start and end, minutes asleep and in bed, stages, efficiency and naps, with averages.',
  input: PERIOD_INPUT,
  async run(context, input) {
    const { start, end, days } = periodOf(input);
    const header = await periodHeader(context, input);
    const { data, pagination, metadata } = await context.client.call(getSleepSummary, {
      params: { user_id: input.user_id },
      query: { start_date: start, end_date: end, limit: MAX_RECORDS },
      signal: context.signal,
    });
    const last = data.at(-1)?.date;
    return {
      ...header,
      records: data.map(record),
      summary: summary(data, days),
      ...withheldNote(metadata.withheld),
      ...attributionNote(metadata.attribution),
      ...truncation(
        pagination.has_more,
        `Call again with the day after ${last} as start_date. The summary covers these records.`,
      ),
    };
  },
});

function record(night: SleepSummary) {
  return {
    date: night.date,
    start_time: night.start_time,
    end_time: night.end_time,
    duration_minutes: night.duration_minutes,
    time_in_bed_minutes: night.time_in_bed_minutes,
    efficiency_percent: night.efficiency_percent,
    stages: night.stages,
    nap_count: night.nap_count,
    nap_duration_minutes: night.nap_duration_minutes,
    source: sourceName(night.source),
    ...withheldNote(night.withheld),
  };
}

function summary(nights: readonly SleepSummary[], totalDays: number) {
  return {
    total_days: totalDays,
    nights_with_data: nights.length,
    avg_duration_minutes: average(nights.map(({ duration_minutes: minutes }) => minutes)),
    avg_time_in_bed_minutes: average(nights.map(({ time_in_bed_minutes: minutes }) => minutes)),
    avg_efficiency_percent: average(nights.map(({ efficiency_percent: percent }) => percent)),
    avg_deep_minutes: average(nights.map(({ stages }) => stages?.deep_minutes)),
    avg_rem_minutes: average(nights.map(({ stages }) => stages?.rem_minutes)),
    avg_light_minutes: average(nights.map(({ stages }) => stages?.light_minutes)),
    avg_awake_minutes: average(nights.map(({ stages }) => stages?.awake_minutes)),
    total_nap_minutes: total(nights.map(({ nap_duration_minutes: minutes }) => minutes)),
  };
}
