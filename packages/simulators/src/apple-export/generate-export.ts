import { Calendar, type LocalDay } from '../calendar.js';
import { writeBloodPressure, writeDiastolic, writeSystolic } from './blood-pressure.js';
import { DAILY_WRITERS } from './daily-records.js';
import { planDay } from './day-plan.js';
import { type Density, INTERVALS } from './density.js';
import { DOCUMENT_TYPE } from './dtd.js';
import type { NightStage } from './night-plan.js';
import { RecordLines } from './record-lines.js';
import {
  type DayWriter,
  writeActiveEnergy,
  writeBasalEnergy,
  writeDistance,
  writeExercise,
  writeFlights,
  writeHeartRate,
  writeStandTime,
  writeSteps,
} from './series-records.js';
import { type ExportTruth, emptyTruth, type TrueNight } from './truth.js';
import { writeActivitySummary, writeWorkouts } from './workout-elements.js';

const SLEEP = 'HKCategoryTypeIdentifierSleepAnalysis';
const VALUE = 'HKCategoryValueSleepAnalysis';
const NAMES: Readonly<Record<NightStage, string>> = {
  light: `${VALUE}AsleepCore`,
  deep: `${VALUE}AsleepDeep`,
  rem: `${VALUE}AsleepREM`,
  awake: `${VALUE}Awake`,
};

/** Writes the watch's sleep stages and the phone's time in bed, which overlap and have different sources. */
const writeSleep: DayWriter = ({ plan: { night, day }, lines }) => {
  const { truth } = lines;
  const nothing = { lightSeconds: 0, deepSeconds: 0, remSeconds: 0, awakeSeconds: 0 };
  const { startMs, endMs } = night.inBed;
  const metadata = [['HKTimeZone', truth.timeZone]] as const;
  lines.add({ type: SLEEP, device: 'sleepApp', value: `${VALUE}InBed`, startMs, endMs, metadata });
  const inBedSeconds = (endMs - startMs) / 1000;
  truth.nights.push({ date: day.date, device: 'sleepApp', startMs, endMs, ...nothing, inBedSeconds });
  const watch: TrueNight = {
    date: day.date,
    device: 'watch',
    startMs: night.startMs,
    endMs: night.endMs,
    ...nothing,
    inBedSeconds: (night.endMs - night.startMs) / 1000,
  };
  for (const { stage, ...interval } of night.stages) {
    watch[`${stage}Seconds`] += (interval.endMs - interval.startMs) / 1000;
    lines.add({ type: SLEEP, device: 'watch', value: NAMES[stage], ...interval, metadata });
  }
  truth.nights.push(watch);
};

const CHUNK_CHARACTERS = 256 * 1024;
const DAYS_TO_MEASURE = 28;

export interface GenerateOptions {
  /** Equal seeds and options yield equal bytes. */
  seed?: number;
  /** Last local date, `YYYY-MM-DD`. */
  endDate?: string;
  days?: number;
  /** Approximate size in bytes, instead of `days`. */
  targetBytes?: number;
  /** IANA name. Local times follow its daylight saving time. */
  timeZone?: string;
  density?: Density;
}

export interface GeneratedExport {
  /** The XML, in chunks of about 256 KiB. */
  chunks: AsyncIterable<Buffer>;
  /** Filled while the chunks are read. */
  truth: ExportTruth;
}

/** Writers in the order of the file. Like on a phone, all items of a type are adjacent and in order of time. */
const WRITERS: readonly DayWriter[] = [
  ...DAILY_WRITERS,
  writeHeartRate,
  writeSystolic,
  writeDiastolic,
  writeSteps,
  writeDistance,
  writeBasalEnergy,
  writeActiveEnergy,
  writeFlights,
  writeExercise,
  writeStandTime,
  writeSleep,
  writeBloodPressure,
  writeWorkouts,
  writeActivitySummary,
];

/**
 * Generates a user's export with data of a watch, a phone, a scale and some apps. The phone records a part of the
 * watch's walks. The file is generated while it is read, so its size is unlimited.
 */
export function generateExport(options: GenerateOptions = {}): GeneratedExport {
  const { seed = 1, endDate = '2026-06-30', timeZone = 'Europe/Warsaw', density = 'normal', targetBytes } = options;
  const count =
    targetBytes === undefined ? (options.days ?? 365) : daysFor(targetBytes, seed, endDate, timeZone, density);
  const calendar = new Calendar(timeZone);
  const days = Array.from({ length: count }, (_, n) => calendar.day(endDate, n - count + 1));
  const truth = emptyTruth(timeZone, days[0]?.date ?? endDate, endDate);
  return { chunks: write(days, new RecordLines(calendar, truth), seed, density), truth };
}

async function* write(days: LocalDay[], lines: RecordLines, seed: number, density: Density): AsyncGenerator<Buffer> {
  const { calendar, truth } = lines;
  const intervals = INTERVALS[density];
  const take = () => {
    const chunk = lines.take();
    truth.bytes += chunk.length;
    return chunk;
  };
  const exportedAt = calendar.text((days.at(-1)?.endMs ?? 0) + 36_000_000);
  lines.raw(`<?xml version="1.0" encoding="UTF-8"?>\n${DOCUMENT_TYPE}\n<HealthData locale="en_PL">\n`);
  lines.raw(` <ExportDate value="${exportedAt}"/>\n`);
  lines.raw(
    ` <Me HKCharacteristicTypeIdentifierDateOfBirth="${truth.personal.birthDate}" ` +
      'HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexFemale" ' +
      'HKCharacteristicTypeIdentifierBloodType="HKBloodTypeNotSet"/>\n',
  );
  const height = { type: 'HKQuantityTypeIdentifierHeight', device: 'phone', unit: 'cm', value: 172 } as const;
  lines.add({ ...height, startMs: days[0]?.startMs ?? 0 });
  for (const writer of WRITERS) {
    for (const day of days) {
      writer({ seed, plan: planDay(seed, day, intervals), intervals, lines });
      if (lines.pending >= CHUNK_CHARACTERS) yield take();
    }
  }
  lines.raw('</HealthData>\n');
  yield take();
}

// Estimates the number of days from a few weeks spread over the year, because adjacent days are too similar.
function daysFor(targetBytes: number, seed: number, endDate: string, timeZone: string, density: Density): number {
  const intervals = INTERVALS[density];
  const calendar = new Calendar(timeZone);
  const lines = new RecordLines(calendar, emptyTruth(timeZone, endDate, endDate));
  for (let n = 0; n < DAYS_TO_MEASURE; n++) {
    const plan = planDay(seed, calendar.day(endDate, -13 * n), intervals);
    for (const writer of WRITERS) writer({ seed, plan, intervals, lines });
  }
  return Math.max(1, Math.round((targetBytes / lines.take().length) * DAYS_TO_MEASURE));
}
