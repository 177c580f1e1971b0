import { SECONDS_PER_MINUTE } from '@healthd/model';
import type { FormChoices } from '../vendor/index.js';
import type { Reading, RingDay, RingSleep, SleepStageName } from './life.js';

/** Formats in which the vendor has written a day. */
type DayForm =
  /** The metrics are a list. The night's metric has type `Sleep`, and the graph uses older member names. */
  | 'list'
  /** The metrics are a map by date, next to the user's zone. The night's metric has type `sleep`. */
  | 'map'
  /** Like the map, with the night's values next to the other metrics instead of in an object. */
  | 'flat';

/** Formats of a night's figures. */
export type NightForm =
  /** A list of stages with their seconds, and the graph. */
  | 'stages'
  /** Flat members in minutes inside of `sleep`, without list and graph. */
  | 'members'
  /** The graph with short names, and an empty list. */
  | 'graph'
  /** Only quick metrics: the total in seconds, no stages. */
  | 'quick'
  /** A list of stages with null light sleep, and the total. */
  | 'partial';

/** Formats of one account. */
export interface UltrahumanForms {
  day: DayForm;
  night: NightForm;
  /** Location of the night's mean variability. */
  variability: 'metric' | 'quick';
  /** Saturations: each reading, only the mean, or the mean inside of `sleep`. */
  saturation: 'readings' | 'average' | 'sleep';
  /** Location of the night's score: a daily metric and `sleep`, only `sleep`, or a trend in `sleep`. */
  score: 'both' | 'inside' | 'trend';
  /** True if metrics contain the user's midnight. */
  hasMidnight: boolean;
  /**
   * True if the user has traveled since the data was recorded. The reported zone is then the user's current zone, and
   * metrics contain the user's midnight.
   */
  isAway: boolean;
}

export const CHOICES: FormChoices<UltrahumanForms> = {
  day: ['list', 'map', 'flat'],
  night: ['stages', 'members', 'graph', 'quick', 'partial'],
  variability: ['metric', 'quick'],
  saturation: ['readings', 'average', 'sleep'],
  score: ['both', 'inside', 'trend'],
  hasMidnight: [true, true, false],
  isAway: [false, false, true],
};

/** Zones reported for users who are away: the first zone, or the second zone if the first is the user's own. */
const AWAY = ['Asia/Tokyo', 'America/Los_Angeles'] as const;

/** Returns the zone that the vendor reports for a user. */
export function namedZone({ isAway }: UltrahumanForms, timeZone: string): string {
  if (!isAway) return timeZone;
  return timeZone === AWAY[0] ? AWAY[1] : AWAY[0];
}

/** Figures of a night that its format contains, in seconds; undefined if missing. */
export interface WrittenNight {
  asleep: number;
  deep: number | undefined;
  light: number | undefined;
  rem: number | undefined;
  awake: number | undefined;
  hasIntervals: boolean;
}

/** @param night as the ring measured it */
export function writtenNight(night: RingSleep, form: NightForm): WrittenNight {
  const [deep, light, rem, awake] = (['deep', 'light', 'rem', 'awake'] as const).map((type) => secondsOf(night, type));
  const asleep = (deep ?? 0) + (light ?? 0) + (rem ?? 0);
  const hasIntervals = form === 'stages' || form === 'graph';
  if (form === 'quick')
    return { asleep, deep: undefined, light: undefined, rem: undefined, awake: undefined, hasIntervals };
  return { asleep, deep, light: form === 'partial' ? undefined : light, rem, awake, hasIntervals };
}

function secondsOf({ stages }: RingSleep, type: SleepStageName): number {
  return stages.filter((stage) => stage.type === type).reduce((sum, { start, end }) => sum + end - start, 0);
}

/** Returns the body of a response. */
export function dayBody(
  day: RingDay | undefined,
  date: string,
  forms: UltrahumanForms,
  { timeZone, withGlucose }: { timeZone: string; withGlucose: boolean },
) {
  const isGlucose = (type: string) => GLUCOSE.has(type);
  const metrics = day ? metricsOf(day, forms).filter(({ type }) => withGlucose || !isGlucose(type)) : [];
  const data =
    forms.day === 'list'
      ? { metric_data: metrics }
      : { metrics: { [date]: metrics }, latest_time_zone: namedZone(forms, timeZone) };
  return { data, error: null, status: forms.day === 'flat' ? 'ok' : 200 };
}

const GLUCOSE: ReadonlySet<string> = new Set([
  'glucose',
  'average_glucose',
  'glucose_variability',
  'time_in_target',
  'hba1c',
]);

interface Metric {
  type: string;
  [member: string]: unknown;
}

function metricsOf(day: RingDay, forms: UltrahumanForms): Metric[] {
  const start = forms.hasMidnight || forms.isAway ? { day_start_timestamp: day.dayStart } : {};
  const series = (type: string, values: Reading[], more: object = {}) => ({
    type,
    object: { ...start, values: values.length === 0 ? null : values, ...more },
  });
  const scalar = (type: string, value: number | undefined) =>
    value === undefined ? [] : [{ type, object: { value, ...start } }];
  const total = day.steps.reduce((sum, { value }) => sum + (value ?? 0), 0);
  const mean = meanOf(day.saturation);
  const saturation = forms.saturation === 'readings' ? day.saturation : [];
  return [
    series('hr', day.heartRate),
    series('hrv', day.variability),
    series('temp', day.temperature),
    series('spo2', saturation, forms.saturation === 'sleep' || mean === undefined ? {} : { avg: mean }),
    series('steps', day.steps, { total }),
    series('glucose', day.glucose),
    ...glucoseOfDay(day).flatMap(([type, value]) => scalar(type, value)),
    ...scalar('active_minutes', day.activeMinutes),
    ...scalar('vo2_max', day.vo2Max),
    ...scalar('recovery_index', day.recovery),
    ...scalar('movement_index', day.movement),
    ...(forms.variability === 'metric' ? scalar('avg_sleep_hrv', day.sleep?.variability) : []),
    ...(forms.day === 'list'
      ? scalar('sleep_rhr', day.restingHeartRate)
      : day.restingHeartRate === undefined
        ? []
        : [series('night_rhr', [], { avg: day.restingHeartRate })]),
    ...(day.sleep ? sleepMetrics(day.sleep, forms, mean) : []),
    // Adds an unknown metric and an empty metric.
    { type: 'a_metric_of_tomorrow', object: { value: 1 } },
    { type: 'morning_alertness', object: null },
  ];
}

/** Returns the mean of a day's readings, rounded like the vendor. */
function meanOf(readings: readonly Reading[]): number | undefined {
  const values = readings.flatMap(({ value }) => value || []);
  return values.length === 0
    ? undefined
    : Math.round((10 * values.reduce((sum, value) => sum + value, 0)) / values.length) / 10;
}

function glucoseOfDay({ glucose }: RingDay): readonly (readonly [string, number | undefined])[] {
  if (glucose.length === 0) return [];
  return [
    ['average_glucose', meanOf(glucose)],
    ['glucose_variability', 14],
    ['time_in_target', 92],
    ['hba1c', 5.2],
  ];
}

function sleepMetrics(sleep: RingSleep, forms: UltrahumanForms, saturation: number | undefined): Metric[] {
  const beside = forms.day === 'flat';
  const object = {
    bedtime_start: sleep.start,
    bedtime_end: sleep.end,
    ...figuresOf(sleep, forms),
    hr_graph: beside ? [] : { data: [] },
  };
  const degrees = {
    temperature_deviation: { celsius: sleep.temperatureDeviation },
    ...(sleep.temperature !== undefined && {
      average_body_temperature: { celsius: sleep.temperature, contributor: 90 },
    }),
  };
  const inside = {
    ...(forms.score === 'trend' ? { score_trend: { value: sleep.score } } : { sleep_score: { score: sleep.score } }),
    ...(forms.saturation === 'sleep' && saturation !== undefined && { spo2: { value: saturation } }),
  };
  // If both scores exist, the daily metric has the true score, and `sleep` has a different number.
  const ofDay =
    forms.score === 'both'
      ? [{ type: 'sleep_score', ...(beside ? { value: sleep.score } : { object: { value: sleep.score } }) }]
      : [];
  const own = forms.score === 'both' ? { ...inside, sleep_score: { score: Math.max(0, sleep.score - 3) } } : inside;
  if (forms.day === 'list')
    return [{ type: 'Sleep', object: { ...object, details: { ...own, ...degrees } } }, ...ofDay];
  if (!beside) return [{ type: 'sleep', object: { ...object, ...own, ...degrees } }, ...ofDay];
  return [
    { type: 'sleep', object: { ...object, ...own } },
    ...ofDay,
    { type: 'temperature_deviation', value: sleep.temperatureDeviation, unit: '°C' },
    ...(sleep.temperature === undefined
      ? []
      : [{ type: 'average_body_temperature', value: sleep.temperature, unit: '°C' }]),
  ];
}

/** Returns stages, total, time in bed, efficiency and variability of a night. */
function figuresOf(sleep: RingSleep, { day, night, variability }: UltrahumanForms): object {
  const inBed = sleep.end - sleep.start;
  const hasShortNames = night === 'graph' || day === 'flat';
  const named = (type: SleepStageName) => (hasShortNames || type === 'awake' ? type : `${type}_sleep`);
  const asleep = writtenNight(sleep, 'stages').asleep;
  const minutes = (seconds: number) => ({ minutes: seconds / SECONDS_PER_MINUTE });
  const quick_metrics = [
    { type: 'sleep_efic', unit: '%', value: sleep.efficiency },
    { type: 'time_in_bed', value: inBed },
    ...(night === 'quick' ? [{ type: 'total_sleep', title: 'TOTAL SLEEP', value: asleep }] : []),
    ...(variability === 'quick' && sleep.variability !== undefined
      ? [{ type: 'avg_hrv', unit: 'ms', value: sleep.variability }]
      : []),
  ];
  if (night === 'members') {
    return {
      quick_metrics: quick_metrics.filter(({ type }) => type === 'avg_hrv'),
      deep_sleep: minutes(secondsOf(sleep, 'deep')),
      light_sleep: minutes(secondsOf(sleep, 'light')),
      rem_sleep: minutes(secondsOf(sleep, 'rem')),
      awake: minutes(secondsOf(sleep, 'awake')),
      total_sleep: minutes(asleep),
      time_in_bed: minutes(inBed),
      sleep_efficiency: { percentage: sleep.efficiency },
    };
  }
  if (night === 'quick') return { quick_metrics, sleep_stages: [], sleep_graph: { data: [] } };
  const sleep_stages = (['deep', 'light', 'rem', 'awake'] as const).map((type) => ({
    type: named(type),
    stage_time: night === 'partial' && type === 'light' ? null : secondsOf(sleep, type),
  }));
  if (night === 'partial') return { quick_metrics, sleep_stages, total_sleep: minutes(asleep) };
  const sleep_graph = {
    data: sleep.stages.map(({ start, end, type }) =>
      day === 'list' ? { startTime: start, endTime: end, type: named(type) } : { start, end, type: named(type) },
    ),
  };
  return { quick_metrics, sleep_stages: night === 'graph' ? [] : sleep_stages, sleep_graph };
}
