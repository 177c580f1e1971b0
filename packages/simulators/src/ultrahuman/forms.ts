import type { Reading, RingDay, RingSleep, SleepStageName } from './life.js';

/** The forms in which the vendor has been seen to write a day. */
export type DayForm =
  /** A list of metrics, type `Sleep`, older names in the graph. */
  | 'list'
  /** A map of days, with the zone, type `sleep`. */
  | 'map'
  /** As the map, and values of the night beside the other metrics, without an object around them. */
  | 'flat';

/** The body of an answer. */
export function dayBody(day: RingDay | undefined, date: string, form: DayForm, timeZone: string, withGlucose: boolean) {
  const metrics = day ? metricsOf(day, form).filter(({ type }) => withGlucose || type !== 'glucose') : [];
  const data =
    form === 'list' ? { metric_data: metrics } : { metrics: { [date]: metrics }, latest_time_zone: timeZone };
  return { data, error: null, status: form === 'flat' ? 'ok' : 200 };
}

function metricsOf(day: RingDay, form: DayForm): { type: string; [member: string]: unknown }[] {
  const day_start_timestamp = day.dayStart;
  const series = (type: string, values: Reading[], more: object = {}) => ({
    type,
    object: { day_start_timestamp, values: values.length === 0 ? null : values, ...more },
  });
  const scalar = (type: string, value: number | undefined) =>
    value === undefined ? [] : [{ type, object: { value, day_start_timestamp } }];
  const total = day.steps.reduce((sum, { value }) => sum + (value ?? 0), 0);
  return [
    series('hr', day.heartRate),
    series('hrv', day.variability),
    series('temp', day.temperature),
    series('spo2', day.saturation),
    series('steps', day.steps, { total }),
    series('glucose', day.glucose),
    ...scalar('active_minutes', day.activeMinutes),
    ...scalar('vo2_max', day.vo2Max),
    ...scalar('recovery_index', day.recovery),
    ...scalar('movement_index', day.movement),
    ...(form === 'list'
      ? scalar('sleep_rhr', day.restingHeartRate)
      : day.restingHeartRate === undefined
        ? []
        : [series('night_rhr', [], { avg: day.restingHeartRate })]),
    ...(day.sleep ? sleepMetrics(day.sleep, form) : []),
    // A metric of tomorrow, and one without anything in it.
    { type: 'a_metric_of_tomorrow', object: { value: 1 } },
    { type: 'morning_alertness', object: null },
  ];
}

function sleepMetrics(sleep: RingSleep, form: DayForm): { type: string; [member: string]: unknown }[] {
  const seconds = (type: SleepStageName) =>
    sleep.stages.filter((stage) => stage.type === type).reduce((sum, { start, end }) => sum + end - start, 0);
  const named = (type: SleepStageName) => (form === 'flat' || type === 'awake' ? type : `${type}_sleep`);
  const inBed = sleep.end - sleep.start;
  const object = {
    bedtime_start: sleep.start,
    bedtime_end: sleep.end,
    quick_metrics: [
      { type: 'sleep_efic', unit: '%', value: sleep.efficiency },
      { type: 'time_in_bed', value: inBed },
    ],
    sleep_stages: (['deep', 'light', 'rem', 'awake'] as const).map((type) => ({
      type: named(type),
      stage_time: seconds(type),
    })),
    sleep_graph: {
      data: sleep.stages.map(({ start, end, type }) =>
        form === 'list' ? { startTime: start, endTime: end, type: named(type) } : { start, end, type: named(type) },
      ),
    },
    hr_graph: form === 'flat' ? [] : { data: [] },
  };
  if (form === 'list') {
    const details = {
      sleep_score: { score: sleep.score },
      temperature_deviation: { celsius: sleep.temperatureDeviation },
    };
    return [{ type: 'Sleep', object: { ...object, details } }];
  }
  if (form === 'map') {
    const own = { sleep_score: { score: sleep.score }, temperature_deviation: { celsius: sleep.temperatureDeviation } };
    return [{ type: 'sleep', object: { ...object, ...own } }];
  }
  return [
    { type: 'sleep', object },
    { type: 'sleep_score', value: sleep.score },
    { type: 'temperature_deviation', value: sleep.temperatureDeviation, unit: '°C' },
  ];
}
