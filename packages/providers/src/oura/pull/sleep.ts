import {
  type HealthRecord,
  MS_PER_MINUTE,
  MS_PER_SECOND,
  type SampleKind,
  type SampleRecord,
  type SeriesCode,
  SLEEP_LENGTH,
  type SleepSessionRecord,
  type SleepStage,
  seriesTypeByCode,
  seriesTypeIds,
} from '@healthd/model';
import { z } from 'zod';
import type { Tally, TimeRange } from '../../cloud/index.js';
import { isObject, numberOf, type PayloadOf, readPayload } from '../../payload/index.js';
import {
  instantMs,
  offsetOfTime,
  type PlacedRecord,
  type PlaceMembers,
  placedRecord,
  requireAtMost,
} from '../../rest/index.js';
import { completeSleepSeconds } from '../../sleep-seconds.js';
import { OURA_SOURCE, replacedWindow } from './source.js';

/** Readings at a fixed interval in seconds. Items are numbers, or null if missing. */
const READINGS = z.object({ timestamp: z.string(), interval: z.number(), items: z.array(z.unknown()) });

/**
 * A period of sleep. Lengths are in seconds. `bedtime_start` and `bedtime_end` are its times; an unfinished sleep has
 * no end.
 */
const SLEEP = z.object({
  day: z.string(),
  /** One of {@link TYPES}, sometimes missing. */
  type: z.string(),
  time_in_bed: z.number(),
  total_sleep_duration: z.number(),
  awake_time: z.number(),
  light_sleep_duration: z.number(),
  deep_sleep_duration: z.number(),
  rem_sleep_duration: z.number(),
  /** Percent. */
  efficiency: z.number(),
  average_breath: z.number(),
  /** 255 if unknown. */
  lowest_heart_rate: z.number(),
  /** One character per stage: 1 deep, 2 light, 3 REM, 4 awake. The strings may extend past the end. */
  sleep_phase_30_sec: z.string(),
  sleep_phase_5_min: z.string(),
  heart_rate: READINGS,
  hrv: READINGS,
});
type Sleep = PayloadOf<typeof SLEEP>;

const STAGES: Readonly<Record<string, SleepStage>> = { 1: 'deep', 2: 'light', 3: 'rem', 4: 'awake' };
/** Stage strings, finest first, with the seconds per character. */
const STRINGS = [
  ['sleep_phase_30_sec', 30 * MS_PER_SECOND],
  ['sleep_phase_5_min', 5 * MS_PER_MINUTE],
] as const;

/** Returns the stages of a night. Equal characters in a row are one stage. The string may extend past the end. */
function stagesOf(sleep: Sleep, startMs: number, endMs: number) {
  for (const [member, stepMs] of STRINGS) {
    const phases = sleep[member];
    if (phases === undefined) continue;
    const stages: { stage: SleepStage; startMs: number; endMs: number }[] = [];
    for (let n = 0; n < phases.length && startMs + n * stepMs < endMs; n++) {
      const stage = STAGES[phases.charAt(n)] ?? 'unknown';
      const from = startMs + n * stepMs;
      const until = Math.min(from + stepMs, endMs);
      const last = stages.at(-1);
      if (last?.stage === stage && last.endMs === from) last.endMs = until;
      else stages.push({ stage, startMs: from, endMs: until });
    }
    return stages;
  }
  return undefined;
}

/** Series of every night. The heart rate is added if the user did not consent to the heart-rate collection. */
export const NIGHT_SERIES = [
  'heart_rate_variability_rmssd',
  'respiratory_rate',
  'resting_heart_rate',
] as const satisfies readonly SeriesCode[];
const PLACE: PlaceMembers = {
  start: 'bedtime_start',
  end: 'bedtime_end',
  offsetOf: ({ bedtime_end: end }) => offsetOfTime(end),
};
/** Types of sleeps to delete: detections that the user rejected, and sleeps that the user deleted. */
const DELETED_TYPES: ReadonlySet<unknown> = new Set(['rest', 'deleted']);
/** Types of sleep that the vendor documents. */
const TYPES: ReadonlySet<unknown> = new Set(['long_sleep', 'sleep', 'late_nap', ...DELETED_TYPES]);
const PHASES = /^[1-4]*$/;
/** Value of an unknown lowest heart rate. */
const NO_HEART_RATE = 255;

/**
 * Returns nights and naps of a window, with their measurements.
 * @param withHeartRates true to read heart rates from here, because the user did not consent to the heart-rate
 *   collection
 */
export function sleepRecords(
  documents: readonly unknown[],
  window: TimeRange,
  withHeartRates: boolean,
  tally: Tally,
): HealthRecord[] {
  requireAtMost(
    MAX_READINGS,
    documents.reduce<number>((count, document) => count + readingCount(document), 0),
  );
  const longest = longestOfDays(documents);
  const placed = documents.flatMap((document): OuraSleep[] => {
    const sleep = sleepOf(document, window, tally);
    if (!sleep) return [];
    const { type, day } = sleep.record;
    // A sleep without a type is the main sleep if it is the longest sleep of its day.
    const isMain = type === 'long_sleep' || (type === undefined && longest.get(day) === sleep.id);
    return [{ ...sleep, isMain }];
  });
  const series: SeriesCode[] = [...NIGHT_SERIES, ...(withHeartRates ? (['heart_rate'] as const) : [])];
  return [
    { ...replacedWindow(window), of: 'sleep_sessions' },
    { ...replacedWindow(window), of: 'samples', typeIds: seriesTypeIds(series) },
    ...placed.map(sleepSession),
    ...placed.flatMap((sleep) => [
      ...seriesSamples(sleep, 'hrv', 'heart_rate_variability_rmssd'),
      ...(withHeartRates ? seriesSamples(sleep, 'heart_rate', 'heart_rate') : []),
      ...aggregates(sleep),
    ]),
  ];
}

interface PlacedSleep extends Omit<PlacedRecord, 'record'> {
  record: Sleep;
}

/** A sleep, and whether it is the main sleep of its day. */
interface OuraSleep extends PlacedSleep {
  isMain: boolean;
}

/** Returns the ids of the longest sleep of each of the vendor's days. */
function longestOfDays(documents: readonly unknown[]): ReadonlyMap<unknown, unknown> {
  const longest = new Map<unknown, { id: unknown; lengthMs: number }>();
  for (const document of documents) {
    if (!isObject(document) || DELETED_TYPES.has(document.type)) continue;
    const lengthMs = instantMs(document.bedtime_end) - instantMs(document.bedtime_start);
    if (lengthMs > (longest.get(document.day)?.lengthMs ?? 0)) longest.set(document.day, { id: document.id, lengthMs });
  }
  return new Map([...longest].map(([day, { id }]) => [day, id]));
}

/** Undefined for a sleep that was deleted, has not ended, or is outside of the window. */
function sleepOf(document: unknown, { startMs, endMs }: TimeRange, tally: Tally): PlacedSleep | undefined {
  if (isObject(document)) {
    const [from, until] = [instantMs(document.bedtime_start), instantMs(document.bedtime_end)];
    if (from >= endMs || until <= startMs) return undefined;
    if (DELETED_TYPES.has(document.type) || document.bedtime_end === undefined || document.bedtime_end === null) {
      tally.next();
      tally.noValue++;
      return undefined;
    }
  }
  const placed = placedRecord(document, PLACE, SLEEP_LENGTH, tally);
  return placed && { ...placed, record: sleepIn(placed.record, tally) };
}

/** Members of type {@link READINGS}. */
const SERIES_MEMBERS = ['heart_rate', 'hrv'] as const;

/** Maximum number of readings of both types: one reading per minute in all nights of a window. */
const MAX_READINGS = 40_000;

function readingCount(document: unknown): number {
  const lists = isObject(document) ? SERIES_MEMBERS.map((member) => document[member]) : [];
  return lists.reduce<number>(
    (count, list) => count + (isObject(list) && Array.isArray(list.items) ? list.items.length : 0),
    0,
  );
}

/** Reads a sleep and counts unreadable members. */
function sleepIn(record: PlacedRecord['record'], tally: Tally): Sleep {
  const sleep = readPayload(SLEEP, record, tally.fault);
  if (sleep.type !== undefined && !TYPES.has(sleep.type)) tally.fault('type');
  for (const [member] of STRINGS) if (!PHASES.test(sleep[member] ?? '')) tally.fault(member);
  for (const member of SERIES_MEMBERS) {
    const { timestamp, interval, items } = sleep[member] ?? {};
    if (timestamp !== undefined && Number.isNaN(instantMs(timestamp))) tally.fault(`${member}.timestamp`);
    if (interval !== undefined && !(interval > 0)) tally.fault(`${member}.interval`);
    if (items?.some((item) => item !== null && numberOf(item) === undefined)) tally.fault(`${member}.items`);
  }
  return sleep;
}

function sleepSession({ record, id, startMs, endMs, offsetMinutes, isMain }: OuraSleep): SleepSessionRecord {
  const stages = stagesOf(record, startMs, endMs);
  const inBed = record.time_in_bed;
  return {
    kind: 'sleep_session',
    source: OURA_SOURCE,
    externalId: id,
    startMs,
    endMs,
    offsetMinutes,
    isNap: isMain ? false : isNap(record.type),
    ...completeSleepSeconds(
      {
        asleep: record.total_sleep_duration,
        awake: record.awake_time,
        deep: record.deep_sleep_duration,
        light: record.light_sleep_duration,
        rem: record.rem_sleep_duration,
      },
      stages,
    ),
    inBedSeconds: inBed === undefined || inBed === 0 ? (endMs - startMs) / MS_PER_SECOND : inBed,
    efficiencyPercent: record.efficiency,
    stages,
  };
}

/**
 * True for types other than the main sleep: `sleep` is shorter than three hours or a fragment of a night, and
 * `late_nap` counts to the next day.
 */
function isNap(type: unknown): boolean | undefined {
  return type === 'sleep' || type === 'late_nap' ? true : undefined;
}

/** Returns readings at a fixed interval. Skips missing readings, which are null or 0. */
function seriesSamples(
  { record, offsetMinutes }: PlacedSleep,
  member: (typeof SERIES_MEMBERS)[number],
  series: SeriesCode,
): SampleRecord[] {
  const { timestamp, interval = Number.NaN, items = [] } = record[member] ?? {};
  const startMs = instantMs(timestamp);
  const stepMs = interval * MS_PER_SECOND;
  if (Number.isNaN(startMs) || !(stepMs > 0)) return [];
  return items.flatMap((item, n): SampleRecord[] => {
    const value = numberOf(item);
    if (value === undefined || value <= 0) return [];
    return [sampleOf(series, 'sample', Math.round(startMs + n * stepMs), offsetMinutes, value)];
  });
}

/** Returns values of the whole night, at waking. The lowest heart rate of a nap is not a resting heart rate. */
function aggregates({ record, endMs, offsetMinutes, id, isMain }: OuraSleep): SampleRecord[] {
  const samples: SampleRecord[] = [];
  const { average_breath: breath, lowest_heart_rate: lowest } = record;
  if (breath !== undefined && breath > 0) {
    samples.push(sampleOf('respiratory_rate', 'aggregate', endMs, offsetMinutes, breath));
  }
  if (isMain && lowest !== undefined && lowest > 0 && lowest !== NO_HEART_RATE) {
    samples.push(sampleOf('resting_heart_rate', 'aggregate', endMs, offsetMinutes, lowest));
  }
  return samples.map((sample) => ({ ...sample, externalId: id }));
}

function sampleOf(
  series: SeriesCode,
  sampleKind: SampleKind,
  startMs: number,
  offsetMinutes: number | undefined,
  value: number,
): SampleRecord {
  const typeId = seriesTypeByCode(series).id;
  return { kind: 'sample', source: OURA_SOURCE, typeId, sampleKind, startMs, offsetMinutes, value };
}
