import { getRecoverySummary, getSleepSummary, listHealthScores, listMenstrualCycles } from '@healthd/contract';
import type { HealthScore, MenstrualCycle, RecoverySummary, SleepSummary } from '@healthd/schemas';
import type { Cli } from '../cli.js';
import { measuredAt } from '../output/instant.js';
import { type RangeOptions, showRows } from './data.js';
import { amount, type DataShape, minutes, SOURCE_FIELDS, sourceText } from './data-shapes.js';

const right = 'right' as const;

const NIGHTS: DataShape<SleepSummary> = {
  maxPage: 100,
  noun: 'day',
  fields: [
    'date',
    'start_time',
    'end_time',
    'zone_offset',
    'duration_minutes',
    'total_duration_minutes',
    'time_in_bed_minutes',
    'efficiency_percent',
    'interruptions_count',
    'nap_count',
    'nap_duration_minutes',
    'avg_heart_rate_bpm',
    'avg_hrv_sdnn_ms',
    'avg_hrv_rmssd_ms',
    'avg_respiratory_rate',
    'avg_spo2_percent',
    ...SOURCE_FIELDS,
  ],
  columns: [
    { header: 'Date', cell: (day) => day.date },
    { header: 'Asleep', cell: (day) => minutes(day.duration_minutes), align: right },
    { header: 'In bed', cell: (day) => minutes(day.time_in_bed_minutes), align: right },
    { header: 'Efficiency', cell: (day) => percent(day.efficiency_percent), align: right },
    { header: 'Naps', cell: (day) => day.nap_count, align: right },
    { header: 'Avg bpm', cell: (day) => day.avg_heart_rate_bpm, align: right },
    { header: 'Source', cell: (day) => sourceText(day.source), shrinkTo: 8 },
  ],
};

const RECOVERY: DataShape<RecoverySummary> = {
  maxPage: 100,
  noun: 'day',
  fields: [
    'date',
    'sleep_duration_seconds',
    'sleep_efficiency_percent',
    'resting_heart_rate_bpm',
    'avg_hrv_sdnn_ms',
    'avg_hrv_rmssd_ms',
    'avg_spo2_percent',
    'recovery_score',
    ...SOURCE_FIELDS,
  ],
  columns: [
    { header: 'Date', cell: (day) => day.date },
    { header: 'Resting bpm', cell: (day) => day.resting_heart_rate_bpm, align: right },
    { header: 'SDNN ms', cell: (day) => amount(day.avg_hrv_sdnn_ms, 1), align: right },
    { header: 'RMSSD ms', cell: (day) => amount(day.avg_hrv_rmssd_ms, 1), align: right },
    { header: 'SpO2', cell: (day) => percent(day.avg_spo2_percent), align: right },
    { header: 'Asleep', cell: (day) => minutes(sleepMinutes(day)), align: right },
    { header: 'Source', cell: (day) => sourceText(day.source), shrinkTo: 8 },
  ],
};

const CYCLES: DataShape<MenstrualCycle> = {
  maxPage: 100,
  noun: 'cycle',
  fields: [
    'id',
    'start_time',
    'end_time',
    'zone_offset',
    'current_phase_type',
    'day_in_cycle',
    'cycle_length',
    'predicted_cycle_length',
    'is_predicted_cycle',
    'period_length',
    'last_updated_at',
    ...SOURCE_FIELDS,
  ],
  columns: [
    { header: 'From', cell: (cycle) => measuredAt(cycle.start_time, cycle.zone_offset) },
    { header: 'To', cell: (cycle) => measuredAt(cycle.end_time, cycle.zone_offset) },
    { header: 'Days', cell: (cycle) => cycle.cycle_length, align: right },
    { header: 'Period', cell: (cycle) => cycle.period_length, align: right },
    { header: 'Phase', cell: (cycle) => cycle.current_phase_type },
    { header: 'Source', cell: (cycle) => sourceText(cycle.source), shrinkTo: 8 },
    { header: 'ID', cell: (cycle) => cycle.id },
  ],
};

const SCORES: DataShape<HealthScore> = {
  maxPage: 1000,
  noun: 'score',
  fields: [
    'id',
    'category',
    'value',
    'min',
    'max',
    'qualifier',
    'recorded_at',
    'zone_offset',
    'provider',
    'data_source_id',
  ],
  columns: [
    { header: 'Time', cell: (score) => measuredAt(score.recorded_at, score.zone_offset) },
    { header: 'Score', cell: (score) => score.category },
    { header: 'Value', cell: (score) => amount(score.value, 1), align: right },
    { header: 'Of', cell: (score) => amount(score.max, 1), align: right },
    { header: 'Meaning', cell: (score) => score.qualifier, shrinkTo: 8 },
    { header: 'Provider', cell: (score) => score.provider },
  ],
};

/** `healthctl data nights` */
export function nights(cli: Cli, options: RangeOptions): Promise<void> {
  return showRows<SleepSummary>(cli, options, NIGHTS, (client, { start, end }, page) =>
    client.call(getSleepSummary, {
      params: { user_id: options.user },
      query: { start_date: start, end_date: end, ...page },
      signal: cli.signal,
    }),
  );
}

/** `healthctl data recovery` */
export function recovery(cli: Cli, options: RangeOptions): Promise<void> {
  return showRows<RecoverySummary>(cli, options, RECOVERY, (client, { start, end }, page) =>
    client.call(getRecoverySummary, {
      params: { user_id: options.user },
      query: { start_date: start, end_date: end, ...page },
      signal: cli.signal,
    }),
  );
}

/** `healthctl data cycles` */
export function cycles(cli: Cli, options: RangeOptions): Promise<void> {
  return showRows<MenstrualCycle>(cli, options, CYCLES, (client, { start, end }, page) =>
    client.call(listMenstrualCycles, {
      params: { user_id: options.user },
      query: { start_date: start, end_date: end, ...page },
      signal: cli.signal,
    }),
  );
}

/** `healthctl data scores` */
export function scores(cli: Cli, options: RangeOptions): Promise<void> {
  return showRows<HealthScore>(cli, options, SCORES, async (client, { start, end }, { limit, cursor }) => {
    // This route counts rows where others have cursors.
    const offset = Number(cursor ?? 0);
    const answer = await client.call(listHealthScores, {
      params: { user_id: options.user },
      query: { start_date: start, end_date: end, limit, offset },
      signal: cli.signal,
    });
    const next_cursor = answer.pagination.has_more ? String(offset + answer.data.length) : null;
    return { ...answer, pagination: { ...answer.pagination, next_cursor } };
  });
}

function sleepMinutes({ sleep_duration_seconds: seconds }: RecoverySummary): number | null {
  return seconds === null ? null : Math.round(seconds / 60);
}

function percent(value: number | null): string | null {
  return value === null ? null : `${amount(value, 1)} %`;
}
