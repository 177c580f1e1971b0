import {
  BatchBuilder,
  type HealthRecord,
  MS_PER_DAY,
  MS_PER_HOUR,
  MS_PER_MINUTE,
  type RecordBatch,
  type SampleRecord,
  type SeriesCode,
  type SourceIdentity,
  seriesTypeByCode,
  type WorkoutRecord,
} from '@healthd/model';

/** Days of data of the users with a whole year. */
export const DAYS = 366;
const OFFSET_MINUTES = 60;
const LARGEST_BATCH = 50_000;

const WATCH: SourceIdentity = {
  provider: 'apple',
  deviceModel: 'Watch7,3',
  writer: 'com.example.watch',
  deviceType: 'watch',
};
const PHONE: SourceIdentity = {
  provider: 'apple',
  deviceModel: 'iPhone15,2',
  writer: 'com.example.phone',
  deviceType: 'phone',
};
const RING: SourceIdentity = { provider: 'oura', deviceType: 'ring' };

interface Series {
  source: SourceIdentity;
  code: SeriesCode;
  /** Share of the day's samples that belong to this series. */
  share: number;
  /** First and last hour of the local day in which the series is measured. */
  hours: [from: number, to: number];
  base: number;
  spread: number;
  /** True if a sample lasts until the next sample. */
  interval: boolean;
}

const WAKING: Series['hours'] = [7, 23];
const ALL_DAY: Series['hours'] = [0, 24];
const NIGHT: Series['hours'] = [0, 6.5];

const SERIES: readonly Series[] = [
  { source: WATCH, code: 'heart_rate', share: 0.45, hours: ALL_DAY, base: 52, spread: 70, interval: false },
  { source: WATCH, code: 'steps', share: 0.13, hours: WAKING, base: 0, spread: 80, interval: true },
  { source: WATCH, code: 'distance_walking_running', share: 0.1, hours: WAKING, base: 0, spread: 70, interval: true },
  { source: WATCH, code: 'energy', share: 0.1, hours: WAKING, base: 0.2, spread: 4, interval: true },
  { source: WATCH, code: 'basal_energy', share: 0.02, hours: ALL_DAY, base: 17, spread: 2, interval: true },
  { source: WATCH, code: 'flights_climbed', share: 0.005, hours: WAKING, base: 1, spread: 2, interval: true },
  { source: WATCH, code: 'respiratory_rate', share: 0.01, hours: NIGHT, base: 12, spread: 4, interval: false },
  { source: WATCH, code: 'oxygen_saturation', share: 0.01, hours: NIGHT, base: 93, spread: 6, interval: false },
  {
    source: WATCH,
    code: 'heart_rate_variability_sdnn',
    share: 0.01,
    hours: ALL_DAY,
    base: 30,
    spread: 60,
    interval: false,
  },
  { source: PHONE, code: 'steps', share: 0.1, hours: WAKING, base: 0, spread: 90, interval: true },
  { source: PHONE, code: 'distance_walking_running', share: 0.065, hours: WAKING, base: 0, spread: 80, interval: true },
];

/** Daily measurements at a fixed local hour, independent of the density of the other samples. */
const ONCE_A_DAY: readonly [code: SeriesCode, source: SourceIdentity, hour: number, base: number][] = [
  ['resting_heart_rate', WATCH, 0, 55],
  ['weight', PHONE, 7, 72],
  ['body_fat_percentage', PHONE, 7, 18],
  ['blood_pressure_systolic', PHONE, 8, 118],
  ['blood_pressure_diastolic', PHONE, 8, 77],
  ['body_temperature', PHONE, 22, 36.4],
];

const STAGES = ['light', 'deep', 'light', 'rem', 'light', 'awake'] as const;

/**
 * Returns a part of one generated user's year with about `samplesPerDay` samples per day. The user has a watch and a
 * phone with overlapping movement, a night of stages, four workouts per week, and two ring scores per day. The data is
 * deterministic, so two runs measure the same rows. @param firstDay local day number since 1970-01-01
 */
export function* yearPart(user: number, samplesPerDay: number, firstDay: number, days: number): Generator<RecordBatch> {
  const builder = new BatchBuilder(LARGEST_BATCH);
  for (let day = firstDay; day < firstDay + days; day++) {
    for (const record of recordsOf(user, samplesPerDay, day)) {
      if (builder.full) yield builder.take();
      builder.add(record);
    }
  }
  if (!builder.empty) yield builder.take();
}

function* recordsOf(user: number, samplesPerDay: number, day: number): Generator<HealthRecord> {
  const midnightMs = day * MS_PER_DAY - OFFSET_MINUTES * MS_PER_MINUTE;
  const random = generator(user * 100_003 + day);
  for (const series of SERIES) yield* seriesOf(series, samplesPerDay, midnightMs, random);
  for (const [code, source, hour, base] of ONCE_A_DAY) {
    yield sampleAt(source, code, midnightMs + hour * MS_PER_HOUR, base + random() * 4);
  }
  yield* nightOf(samplesPerDay, midnightMs);
  if (day % 7 < 4) yield* workoutOf(midnightMs, random);
  for (const [category, hour] of [
    ['readiness', 7],
    ['sleep', 6],
  ] as const) {
    const atMs = midnightMs + hour * MS_PER_HOUR;
    yield {
      kind: 'health_score',
      source: RING,
      category,
      atMs,
      offsetMinutes: OFFSET_MINUTES,
      value: Math.round(60 + random() * 40),
      components: { balance: { value: Math.round(random() * 100), qualifier: null } },
    };
  }
}

function* seriesOf(
  { source, code, share, hours: [from, to], base, spread, interval }: Series,
  samplesPerDay: number,
  midnightMs: number,
  random: () => number,
): Generator<SampleRecord> {
  // With less than one sample per day, some days have no sample.
  const count = Math.floor(Math.max(0, samplesPerDay - ONCE_A_DAY.length) * share + random());
  const stepMs = Math.floor(((to - from) * MS_PER_HOUR) / count / 1000) * 1000;
  for (let n = 0; n < count; n++) {
    const startMs = midnightMs + from * MS_PER_HOUR + n * stepMs;
    const value = Math.round((base + random() * spread) * 100) / 100;
    yield sampleAt(source, code, startMs, value, interval ? Math.min(stepMs, 10 * MS_PER_MINUTE) : undefined);
  }
}

function sampleAt(
  source: SourceIdentity,
  code: SeriesCode,
  startMs: number,
  value: number,
  durationMs?: number,
): SampleRecord {
  const { id: typeId } = seriesTypeByCode(code);
  return {
    kind: 'sample',
    source,
    typeId,
    startMs,
    value,
    sampleKind: 'sample',
    offsetMinutes: OFFSET_MINUTES,
    ...(durationMs === undefined ? {} : { durationMs }),
  };
}

/** Returns the stages of a night from 23:30 to 06:30. A user with few samples has few stages. */
function* nightOf(samplesPerDay: number, midnightMs: number): Generator<HealthRecord> {
  const stages = samplesPerDay > 1000 ? 28 : 7;
  const lengthMs = (7 * MS_PER_HOUR) / stages;
  const bedMs = midnightMs - MS_PER_HOUR / 2;
  for (let n = 0; n < stages; n++) {
    const [startMs, endMs] = [bedMs + n * lengthMs, bedMs + (n + 1) * lengthMs];
    const stage = STAGES[n % STAGES.length] ?? 'light';
    yield { kind: 'sleep_stage', source: WATCH, stage, startMs, endMs, offsetMinutes: OFFSET_MINUTES };
  }
}

/** Returns a run that both the watch and the phone recorded. */
function* workoutOf(midnightMs: number, random: () => number): Generator<HealthRecord> {
  const startMs = midnightMs + 17.5 * MS_PER_HOUR;
  const run: Omit<WorkoutRecord, 'source'> = {
    kind: 'workout',
    type: 'running',
    startMs,
    endMs: startMs + 45 * MS_PER_MINUTE,
    durationSeconds: 2640,
    offsetMinutes: OFFSET_MINUTES,
    distanceMeters: 6000 + random() * 3000,
    caloriesKcal: 450,
  };
  yield { ...run, source: WATCH, elevationGainMeters: 40, heartRateMax: 171 };
  yield { ...run, source: PHONE, startMs: startMs + MS_PER_MINUTE };
}

/** Returns deterministic numbers from 0 to 1 for a seed (a linear congruence modulo 2^32). */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
