import { type HealthRecord, MS_PER_HOUR, MS_PER_MINUTE, type SampleRecord, type SourceIdentity } from '@healthd/model';
import fc from 'fast-check';

const HEART_RATE = 1;
const STEPS = 80;

/** First instant of the random records, which cover three days. */
export const RANDOM_START = Date.UTC(2026, 2, 10);
const SLOTS = 3 * 48;

const SOURCES: SourceIdentity[] = [
  { provider: 'apple', writer: 'Watch', deviceModel: 'Watch6,2' },
  { provider: 'apple', writer: 'com.example.app' },
  { provider: 'polar', writer: 'cloud' },
];

const source = fc.constantFrom(...SOURCES);
const offsetMinutes = fc.constantFrom(undefined, 60, -480);
const externalId = fc.constantFrom(undefined, 'a', 'b', 'c');
const maybe = <T>(values: T[]) => fc.constantFrom(undefined, ...values);

/** Returns random spans of 1 to `longest` half hours. */
const span = (longest: number) =>
  fc.record({ slot: fc.nat({ max: SLOTS }), length: fc.integer({ min: 1, max: longest }) }).map(({ slot, length }) => ({
    startMs: RANDOM_START + slot * 30 * MS_PER_MINUTE,
    endMs: RANDOM_START + (slot + length) * 30 * MS_PER_MINUTE,
  }));

// Values are multiples of 1/4, so that sums are exact in any order.
const sample: fc.Arbitrary<SampleRecord> = fc
  .record({
    source,
    offsetMinutes,
    series: fc.constantFrom(
      { typeId: HEART_RATE, values: [60, 61.5, 140.25] },
      { typeId: STEPS, values: [0, 30, 450] },
    ),
    pick: fc.nat({ max: 2 }),
    minute: fc.nat({ max: SLOTS * 6 }),
    durationMs: fc.constantFrom(undefined, MS_PER_MINUTE, 15 * MS_PER_MINUTE),
    sampleKind: fc.constantFrom('sample' as const, 'sample' as const, 'aggregate' as const),
  })
  .map(({ series, pick, minute, ...rest }) => ({
    kind: 'sample',
    typeId: series.typeId,
    value: series.values[pick] as number,
    startMs: RANDOM_START + minute * 5 * MS_PER_MINUTE,
    ...rest,
  }));

const stage: fc.Arbitrary<HealthRecord> = fc
  .record({
    source,
    offsetMinutes,
    stage: fc.constantFrom('in_bed' as const, 'awake' as const, 'light' as const, 'deep' as const),
    sessionId: fc.constantFrom(undefined, undefined, 'night-1', 'night-2'),
    span: span(6),
  })
  .map(({ span: interval, ...rest }) => ({ kind: 'sleep_stage', ...rest, ...interval }));

const night: fc.Arbitrary<HealthRecord> = fc
  .record({
    source,
    offsetMinutes,
    externalId,
    isNap: fc.constantFrom(undefined, undefined, true),
    asleepSeconds: maybe([3_600, 20_000]),
    deepSeconds: maybe([1_200]),
    span: span(16),
  })
  .map(({ span: interval, ...rest }) => ({ kind: 'sleep_session', ...rest, ...interval }));

const workout: fc.Arbitrary<HealthRecord> = fc
  .record({
    source,
    offsetMinutes,
    externalId,
    type: fc.constantFrom('running' as const, 'cycling' as const),
    name: maybe(['Morning']),
    distanceMeters: maybe([1_000.25, 5_000]),
    heartRateMax: maybe([171]),
    metadata: maybe<Record<string, number>>([{ laps: 1 }, { wind: 3.5 }]),
    span: span(4),
  })
  .map(({ span: interval, ...rest }) => ({ kind: 'workout', ...rest, ...interval }));

const cycle: fc.Arbitrary<HealthRecord> = fc
  .record({
    source,
    externalId,
    details: fc.constantFrom({ flow: 'light' }, { flow: 'heavy', day: 2 }),
    span: span(48),
  })
  .map(({ span: interval, ...rest }) => ({ kind: 'menstrual_cycle', ...rest, ...interval }));

const score: fc.Arbitrary<HealthRecord> = fc
  .record({
    source,
    externalId,
    category: fc.constantFrom('sleep', 'recovery'),
    value: maybe([80, 62.5]),
    qualifier: maybe(['good']),
    components: maybe([{ rest: { value: 7, qualifier: null } }]),
    hour: fc.nat({ max: 72 }),
  })
  .map(({ hour, ...rest }) => ({ kind: 'health_score', atMs: RANDOM_START + hour * MS_PER_HOUR, ...rest }));

/** A record of any type. IDs and spans repeat, so that records correct each other. */
export const randomRecord: fc.Arbitrary<HealthRecord> = fc.oneof(
  { arbitrary: sample, weight: 4 },
  { arbitrary: stage, weight: 3 },
  { arbitrary: night, weight: 2 },
  { arbitrary: workout, weight: 3 },
  { arbitrary: cycle, weight: 1 },
  { arbitrary: score, weight: 2 },
);

const window = fc
  .record({ slot: fc.nat({ max: SLOTS }), length: fc.integer({ min: 1, max: 48 }) })
  .map(({ slot, length }) => ({
    startMs: RANDOM_START + slot * 30 * MS_PER_MINUTE,
    endMs: RANDOM_START + (slot + length) * 30 * MS_PER_MINUTE,
  }));

/** A deletion by a vendor, or a window that replaces stored items. */
export const randomRemoval: fc.Arbitrary<HealthRecord> = fc.oneof(
  fc
    .record({
      provider: fc.constantFrom('apple' as const, 'polar' as const),
      typeId: fc.constantFrom(HEART_RATE, STEPS),
      window,
    })
    .map(({ window: span, ...rest }) => ({ kind: 'deletion' as const, of: 'samples' as const, ...rest, ...span })),
  fc
    .record({
      provider: fc.constantFrom('apple' as const, 'polar' as const),
      externalId: fc.constantFrom('a', 'b', 'c'),
    })
    .map((rest) => ({ kind: 'deletion' as const, of: 'session' as const, ...rest })),
  fc
    .record({ writer: fc.constantFrom('Watch', 'com.example.app'), typeId: fc.constantFrom(HEART_RATE, STEPS), window })
    .map(({ window: span, typeId, writer }) => ({
      kind: 'replacement' as const,
      of: 'samples' as const,
      provider: 'apple' as const,
      writer,
      typeIds: [typeId],
      ...span,
    })),
  fc
    .record({ of: fc.constantFrom('sleep_sessions' as const, 'workouts' as const, 'nights' as const), window })
    .map(({ of, window: span }) => ({
      kind: 'replacement' as const,
      of,
      provider: 'apple' as const,
      writer: 'Watch',
      ...span,
    })),
);
