import { type FitMessageKind, FitWriter } from './fit-writer.js';

/** One recorded second of a watch. Missing members were not measured, and the file marks them as missing. */
export interface RecordedSecond {
  /** Seconds since the start of the workout. */
  second: number;
  /** Beats per minute. */
  heartRate?: number;
  /** m/s */
  speed?: number;
  /** Steps of one leg per minute, or pedal revolutions per minute. */
  cadence?: number;
  /** Watts. */
  power?: number;
  /** Meters. */
  elevation?: number;
  /** Degrees. */
  latitude?: number;
  longitude?: number;
}

/** Content of a workout's file. */
export interface WorkoutFile {
  readings: readonly RecordedSecond[];
  laps?: readonly { second: number; seconds: number; meters: number }[];
  /** Times without recording. */
  pauses?: readonly { second: number; seconds: number }[];
  /** True if an application on the watch adds a field to each second. */
  hasDeveloperFields?: boolean;
  /** True if the second half is a separate file after the first. */
  isChained?: boolean;
  /** Figures of the whole workout that the watch computed. Altitudes and climb in meters. */
  summary?: {
    heartRateMin?: number;
    heartRateAvg?: number;
    heartRateMax?: number;
    elevationGain?: number;
    elevationLow?: number;
    elevationHigh?: number;
  };
  /**
   * Damage to the bytes: the second half is missing, the checksum belongs to other bytes, or the watch lost power
   * before it wrote the size and the checksum.
   */
  damage?: 'truncated' | 'wrong_checksum' | 'unfinished';
  /** Complete file in base64. Overrides all other members. */
  content?: string;
}

const TIMESTAMP = [253, 'uint32'] as const;
const FILE_ID: FitMessageKind = {
  local: 0,
  global: 0,
  fields: [
    [0, 'enum'],
    [1, 'uint16'],
    [4, 'uint32'],
  ],
};
const EVENT: FitMessageKind = { local: 1, global: 21, fields: [TIMESTAMP, [0, 'enum'], [1, 'enum']] };
const RECORD: FitMessageKind = {
  local: 2,
  global: 20,
  fields: [
    TIMESTAMP,
    [0, 'sint32'],
    [1, 'sint32'],
    [78, 'uint32'],
    [3, 'uint8'],
    [4, 'uint8'],
    [73, 'uint32'],
    [7, 'uint16'],
  ],
};
const LAP: FitMessageKind = {
  local: 3,
  global: 19,
  fields: [TIMESTAMP, [2, 'uint32'], [7, 'uint32'], [9, 'uint32']],
};
const SESSION: FitMessageKind = {
  local: 4,
  global: 18,
  fields: [TIMESTAMP, [64, 'uint8'], [16, 'uint8'], [17, 'uint8'], [22, 'uint16'], [71, 'uint16'], [50, 'uint16']],
};

const ACTIVITY_FILE = 4;
const SUUNTO = 23;
const TIMER = { number: 0, start: 0, stopAll: 4 };
const EPOCH_SECONDS = Date.parse('1989-12-31T00:00:00Z') / 1_000;
/** Position of the messages' size in the header. */
const SIZE_AT = 4;
const CHECKSUM_BYTES = 2;
const SEMICIRCLES = 2 ** 31 / 180;

/** Returns the bytes of a workout's file. @param startMs start of the workout; the file has whole seconds */
export function workoutFileBytes(startMs: number, file: WorkoutFile): Buffer {
  if (file.content !== undefined) return Buffer.from(file.content, 'base64');
  const half = file.readings.length >> 1;
  const { summary: _, ...withoutSummary } = file;
  const bytes = file.isChained
    ? Buffer.concat([
        oneFile(startMs, { ...withoutSummary, laps: [], pauses: [], readings: file.readings.slice(0, half) }).bytes,
        oneFile(startMs, { ...file, readings: file.readings.slice(half) }).bytes,
      ])
    : oneFile(startMs, file).bytes;
  if (file.damage === 'truncated') return bytes.subarray(0, bytes.length >> 1);
  if (file.damage === 'wrong_checksum') bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 0xff, bytes.length - 1);
  if (file.damage !== 'unfinished') return bytes;
  bytes.writeUInt32LE(0, SIZE_AT);
  return bytes.subarray(0, -CHECKSUM_BYTES);
}

/** Returns the readings that a damaged file still contains completely. Not for chained files. */
export function readableReadings(startMs: number, file: WorkoutFile): readonly RecordedSecond[] {
  if (file.damage !== 'truncated') return file.readings;
  const { bytes, endOf } = oneFile(startMs, file);
  return file.readings.filter((reading) => (endOf.get(reading) ?? 0) <= bytes.length >> 1);
}

/** @returns the file, and the number of bytes after which each reading is complete */
function oneFile(startMs: number, file: WorkoutFile): { bytes: Buffer; endOf: Map<RecordedSecond, number> } {
  const { readings, laps = [], pauses = [], summary, hasDeveloperFields } = file;
  const start = Math.floor(startMs / 1_000) - EPOCH_SECONDS;
  const record = hasDeveloperFields ? { ...RECORD, developerFields: [{ number: 0, size: 3 }] } : RECORD;
  const writer = new FitWriter();
  const endOf = new Map<RecordedSecond, number>();
  for (const kind of [FILE_ID, EVENT, record, LAP]) writer.define(kind);
  writer.write(FILE_ID, [ACTIVITY_FILE, SUUNTO, start]);
  const timer = (second: number, type: number) => ({
    second,
    write: () => writer.write(EVENT, [start + second, TIMER.number, type]),
  });
  const messages = [
    timer(0, TIMER.start),
    ...pauses.flatMap(({ second, seconds }) => [timer(second, TIMER.stopAll), timer(second + seconds, TIMER.start)]),
    ...readings.map((reading) => ({
      second: reading.second,
      write: () => {
        writer.write(record, [start + reading.second, ...rawValues(reading)]);
        endOf.set(reading, writer.size);
      },
    })),
    ...laps.map(({ second, seconds, meters }) => ({
      second: second + seconds,
      write: () => writer.write(LAP, [start + second + seconds, start + second, seconds * 1_000, meters * 100]),
    })),
  ].sort((a, b) => a.second - b.second);
  for (const message of messages) message.write();
  const last = messages.at(-1)?.second ?? 0;
  timer(last, TIMER.stopAll).write();
  if (summary) {
    const { heartRateMin, heartRateAvg, heartRateMax, elevationGain, elevationLow, elevationHigh } = summary;
    const altitudes = [elevationLow, elevationHigh].map(rawAltitude);
    writer.define(SESSION);
    writer.write(SESSION, [start + last, heartRateMin, heartRateAvg, heartRateMax, elevationGain, ...altitudes]);
  }
  return { bytes: writer.file(), endOf };
}

function rawAltitude(meters: number | undefined): number | undefined {
  return meters === undefined ? undefined : Math.round((meters + 500) * 5);
}

/** Returns values in the order of a record's fields, in the format's units. */
function rawValues(reading: RecordedSecond): (number | undefined)[] {
  const { latitude, longitude, elevation, heartRate, cadence, speed, power } = reading;
  const raw = (value: number | undefined, convert: (value: number) => number) =>
    value === undefined ? undefined : Math.round(convert(value));
  return [
    raw(latitude, (degrees) => degrees * SEMICIRCLES),
    raw(longitude, (degrees) => degrees * SEMICIRCLES),
    rawAltitude(elevation),
    heartRate,
    cadence,
    raw(speed, (value) => value * 1_000),
    power,
  ];
}
