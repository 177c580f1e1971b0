import { type FitMessageKind, FitWriter } from './fit-writer.js';

/** What a watch recorded in one second. A member that is missing was not measured, and the file says so. */
export interface RecordedSecond {
  /** Since the workout began. */
  second: number;
  /** Beats a minute. */
  heartRate?: number;
  /** m/s */
  speed?: number;
  /** Of one leg, or of the pedals, a minute. */
  cadence?: number;
  /** Watts. */
  power?: number;
  /** Metres. */
  elevation?: number;
  /** Degrees. */
  latitude?: number;
  longitude?: number;
}

/** The file of a workout, in what it says. */
export interface WorkoutFile {
  readings: readonly RecordedSecond[];
  laps?: readonly { second: number; seconds: number; meters: number }[];
  /** Times without recording. */
  pauses?: readonly { second: number; seconds: number }[];
  /** Whether an application on the watch adds a field of its own to each second. */
  hasDeveloperFields?: boolean;
  /** Whether the second half is a file of its own behind the first. */
  isChained?: boolean;
  /** What happened to its bytes. */
  damage?: 'truncated' | 'wrong_checksum';
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

const ACTIVITY_FILE = 4;
const SUUNTO = 23;
const TIMER = { number: 0, start: 0, stopAll: 4 };
const EPOCH_SECONDS = Date.parse('1989-12-31T00:00:00Z') / 1_000;
const SEMICIRCLES = 2 ** 31 / 180;

/** The bytes of a workout's file. @param startMs when the workout began; the file has whole seconds */
export function workoutFileBytes(startMs: number, file: WorkoutFile): Buffer {
  const half = file.readings.length >> 1;
  const bytes = file.isChained
    ? Buffer.concat([
        oneFile(startMs, { ...file, laps: [], pauses: [], readings: file.readings.slice(0, half) }),
        oneFile(startMs, { ...file, readings: file.readings.slice(half) }),
      ])
    : oneFile(startMs, file);
  if (file.damage === 'truncated') return bytes.subarray(0, bytes.length >> 1);
  if (file.damage === 'wrong_checksum') bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 0xff, bytes.length - 1);
  return bytes;
}

function oneFile(startMs: number, { readings, laps = [], pauses = [], hasDeveloperFields }: WorkoutFile): Buffer {
  const start = Math.floor(startMs / 1_000) - EPOCH_SECONDS;
  const record = hasDeveloperFields ? { ...RECORD, developerFields: [{ number: 0, size: 3 }] } : RECORD;
  const writer = new FitWriter();
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
      write: () => writer.write(record, [start + reading.second, ...rawValues(reading)]),
    })),
    ...laps.map(({ second, seconds, meters }) => ({
      second: second + seconds,
      write: () => writer.write(LAP, [start + second + seconds, start + second, seconds * 1_000, meters * 100]),
    })),
  ].sort((a, b) => a.second - b.second);
  for (const message of messages) message.write();
  timer(messages.at(-1)?.second ?? 0, TIMER.stopAll).write();
  return writer.file();
}

/** In the order of the fields of a record, in the units of the format. */
function rawValues(reading: RecordedSecond): (number | undefined)[] {
  const { latitude, longitude, elevation, heartRate, cadence, speed, power } = reading;
  const raw = (value: number | undefined, convert: (value: number) => number) =>
    value === undefined ? undefined : Math.round(convert(value));
  return [
    raw(latitude, (degrees) => degrees * SEMICIRCLES),
    raw(longitude, (degrees) => degrees * SEMICIRCLES),
    raw(elevation, (meters) => (meters + 500) * 5),
    heartRate,
    cadence,
    raw(speed, (value) => value * 1_000),
    power,
  ];
}
