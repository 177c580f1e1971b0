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
import type { Tally, TimeRange } from '../../cloud/index.js';
import { isObject, numberOf, type PayloadObject } from '../../payload/index.js';
import {
  instantMs,
  offsetOfTime,
  type PlacedRecord,
  type PlaceMembers,
  placedRecord,
  rejectUnreadableNumbers,
} from '../../rest/index.js';
import { completeSleepSeconds } from '../../sleep-seconds.js';
import { OURA_SOURCE, replacedWindow } from './source.js';

const STAGES: Readonly<Record<string, SleepStage>> = { 1: 'deep', 2: 'light', 3: 'rem', 4: 'awake' };
/** Strings of stages, the finest first, with the time that a character stands for. */
const STRINGS = [
  ['sleep_phase_30_sec', 30 * MS_PER_SECOND],
  ['sleep_phase_5_min', 5 * MS_PER_MINUTE],
] as const;

/** Stages of a night, one character after the other from its start; the string may run on beyond its end. */
function stagesOf(record: PayloadObject, startMs: number, endMs: number) {
  for (const [member, stepMs] of STRINGS) {
    const phases = record[member];
    if (typeof phases !== 'string' || phases === '') continue;
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

/** Series that a night has, beside the heart rate where that collection may not be read. */
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
/** A false detection that the person refused, and what the person deleted. */
const GONE: ReadonlySet<unknown> = new Set(['rest', 'deleted']);
/** Types of sleep that the vendor documents. */
const TYPES: ReadonlySet<unknown> = new Set(['long_sleep', 'sleep', 'late_nap', ...GONE]);
const PHASES = /^[1-4]*$/;
/** Members that are numbers, or null. */
const NUMBERS = [
  'time_in_bed',
  'total_sleep_duration',
  'awake_time',
  'light_sleep_duration',
  'deep_sleep_duration',
  'rem_sleep_duration',
  'efficiency',
  'average_breath',
  'lowest_heart_rate',
];
/** Written where the lowest heart rate is not known. */
const NO_HEART_RATE = 255;

/**
 * Nights and naps of a window, with what was measured meanwhile.
 * @param withHeartRates whether the heart rates of the night are taken from here, because the collection that has all of
 * them was not consented to
 */
export function sleepRecords(
  documents: readonly unknown[],
  window: TimeRange,
  withHeartRates: boolean,
  tally: Tally,
): HealthRecord[] {
  const longest = longestOfDays(documents);
  const placed = documents.flatMap((document): OuraSleep[] => {
    const sleep = sleepOf(document, window, tally);
    if (!sleep) return [];
    const { type, day } = sleep.record;
    // The vendor leaves the type out now and then. The longest sleep of a day is its main sleep.
    const isMain = type === 'long_sleep' || (!isKnown(type) && longest.get(day) === sleep.id);
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

/** A sleep, and whether it is the main one of its day. */
interface OuraSleep extends PlacedRecord {
  isMain: boolean;
}

function isKnown(type: unknown): boolean {
  return type !== undefined && type !== null;
}

/** Ids of the longest sleep of each of the vendor's days. */
function longestOfDays(documents: readonly unknown[]): ReadonlyMap<unknown, unknown> {
  const longest = new Map<unknown, { id: unknown; lengthMs: number }>();
  for (const document of documents) {
    if (!isObject(document) || GONE.has(document.type)) continue;
    const lengthMs = instantMs(document.bedtime_end) - instantMs(document.bedtime_start);
    if (lengthMs > (longest.get(document.day)?.lengthMs ?? 0)) longest.set(document.day, { id: document.id, lengthMs });
  }
  return new Map([...longest].map(([day, { id }]) => [day, id]));
}

/** Undefined for what is gone, still goes on, or lies outside of the window. */
function sleepOf(document: unknown, { startMs, endMs }: TimeRange, tally: Tally): PlacedRecord | undefined {
  if (isObject(document)) {
    const [from, until] = [instantMs(document.bedtime_start), instantMs(document.bedtime_end)];
    if (from >= endMs || until <= startMs) return undefined;
    if (GONE.has(document.type) || document.bedtime_end === undefined || document.bedtime_end === null) {
      tally.next();
      tally.noValue++;
      return undefined;
    }
  }
  const placed = placedRecord(document, PLACE, SLEEP_LENGTH, tally);
  if (placed) rejectUnreadable(placed.record, tally);
  return placed;
}

/** Counts members that hold something else than the vendor documents. */
function rejectUnreadable(record: PayloadObject, tally: Tally): void {
  const index = tally.received - 1;
  rejectUnreadableNumbers(record, NUMBERS, tally, index);
  const { type, sleep_phase_30_sec: fine, sleep_phase_5_min: coarse } = record;
  if (isKnown(type) && !TYPES.has(type)) tally.rejectUnreadable(index, 'type');
  for (const [member, phases] of Object.entries({ sleep_phase_30_sec: fine, sleep_phase_5_min: coarse })) {
    if (phases === undefined || phases === null) continue;
    if (typeof phases !== 'string' || !PHASES.test(phases)) tally.rejectUnreadable(index, member);
  }
}

function sleepSession({ record, id, startMs, endMs, offsetMinutes, isMain }: OuraSleep): SleepSessionRecord {
  const seconds = (member: string) => numberOf(record[member]);
  const stages = stagesOf(record, startMs, endMs);
  const inBed = seconds('time_in_bed');
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
        asleep: seconds('total_sleep_duration'),
        awake: seconds('awake_time'),
        deep: seconds('deep_sleep_duration'),
        light: seconds('light_sleep_duration'),
        rem: seconds('rem_sleep_duration'),
      },
      stages,
    ),
    inBedSeconds: inBed === undefined || inBed === 0 ? (endMs - startMs) / MS_PER_SECOND : inBed,
    efficiencyPercent: seconds('efficiency'),
    stages,
  };
}

/** `sleep` is shorter than three hours, `late_nap` counts to the next day; fragments of a night are among the former. */
function isNap(type: unknown): boolean | undefined {
  return type === 'sleep' || type === 'late_nap' ? true : undefined;
}

/** Readings at equal distances; those that are missing are null, and some are 0. */
function seriesSamples({ record, offsetMinutes }: PlacedRecord, member: string, series: SeriesCode): SampleRecord[] {
  const readings = record[member];
  if (!isObject(readings) || !Array.isArray(readings.items)) return [];
  const startMs = instantMs(readings.timestamp);
  const stepMs = (numberOf(readings.interval) ?? Number.NaN) * MS_PER_SECOND;
  if (Number.isNaN(startMs) || !(stepMs > 0)) return [];
  return readings.items.flatMap((item, n): SampleRecord[] => {
    const value = numberOf(item);
    if (value === undefined || value <= 0) return [];
    return [sampleOf(series, 'sample', Math.round(startMs + n * stepMs), offsetMinutes, value)];
  });
}

/** What is one for the whole night stands at waking. The lowest heart rate of a nap is no resting heart rate. */
function aggregates({ record, endMs, offsetMinutes, id, isMain }: OuraSleep): SampleRecord[] {
  const samples: SampleRecord[] = [];
  const breath = numberOf(record.average_breath);
  if (breath !== undefined && breath > 0) {
    samples.push(sampleOf('respiratory_rate', 'aggregate', endMs, offsetMinutes, breath));
  }
  const lowest = numberOf(record.lowest_heart_rate);
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
