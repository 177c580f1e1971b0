import { MS_PER_SECOND } from '@healthd/model';
import { FitError } from './fit-error.js';
import { type FitMessage, fitMessages, TIMESTAMP } from './fit-messages.js';

/** What was measured in one second, in SI units; rates a minute. What no sensor measured is missing. */
export interface FitReading {
  heartRate?: number;
  speed?: number;
  /** As the file has it: of one leg for those on foot. */
  cadence?: number;
  power?: number;
  elevation?: number;
  /** Degrees; both or none. */
  latitude?: number;
  longitude?: number;
}

/** A lap, or a time without recording. */
interface FitSpan {
  startMs: number;
  durationSeconds: number;
  distanceMeters?: number;
}

/** What the file of a workout holds. */
export interface FitActivity {
  /** By milliseconds since 1970. */
  readings: ReadonlyMap<number, FitReading>;
  laps: readonly FitSpan[];
  /** Those that ended. */
  pauses: readonly FitSpan[];
}

/** Two days second by second. Watches that record for longer do it less often. */
const MAX_READINGS = 172_800;
const MAX_SPANS = 2_000;
/** Each second may have several records. */
const MAX_MESSAGES = 4 * MAX_READINGS;
/** 1989-12-31T00:00:00Z. */
const EPOCH_SECONDS = 631_065_600;
/** The largest number of seconds that a time of the format can have; the next one says that there is none. */
const LAST_SECOND = 0xfffffffe;

const MESSAGES = { lap: 19, record: 20, event: 21 } as const;
/** Fields by their numbers in the public profile of the format. */
const RECORD = {
  latitude: 0,
  longitude: 1,
  altitude: 2,
  heartRate: 3,
  cadence: 4,
  speed: 6,
  power: 7,
  fractionalCadence: 53,
  enhancedSpeed: 73,
  enhancedAltitude: 78,
} as const;
const LAP = { start: 2, elapsed: 7, distance: 9 } as const;
const EVENT = { event: 0, type: 1 } as const;
const TIMER = 0;
const STARTED = 0;
/** Stopped, at the end of what was recorded or before a pause. */
const STOPPED: ReadonlySet<number | undefined> = new Set([1, 4, 8, 9]);

const WANTED = {
  [MESSAGES.record]: Object.values(RECORD),
  [MESSAGES.lap]: Object.values(LAP),
  [MESSAGES.event]: Object.values(EVENT),
};

const DEGREES = 180 / 2 ** 31;
const MAX_LATITUDE = 90;
const MILLI = 1_000;
const CENTI = 100;
/** Altitudes are fifths of a metre above -500 m. */
const ALTITUDE = { scale: 5, sea: 2_500 };
const CADENCE_FRACTIONS = 128;

/**
 * Reads the file of a workout. Several records of one second are joined. Unknown messages and fields of developers are left
 * out.
 * @throws FitError
 */
export function readFitActivity(bytes: Uint8Array): FitActivity {
  const readings = new Map<number, FitReading>();
  const laps: FitSpan[] = [];
  const pauses: FitSpan[] = [];
  let stoppedMs: number | undefined;
  let messages = 0;
  for (const { number, fields } of fitMessages(bytes, WANTED)) {
    const atMs = msOf(fields.get(TIMESTAMP));
    if (number === MESSAGES.lap) {
      laps.push(...lapOf(fields));
    } else if (atMs !== undefined && number === MESSAGES.record) {
      const known = readings.get(atMs);
      const reading = known ?? {};
      if (!known) readings.set(atMs, reading);
      measure(reading, fields);
    } else if (atMs !== undefined && fields.get(EVENT.event) === TIMER) {
      const type = fields.get(EVENT.type);
      if (type === STARTED && stoppedMs !== undefined && atMs > stoppedMs) {
        pauses.push({ startMs: stoppedMs, durationSeconds: (atMs - stoppedMs) / MS_PER_SECOND });
      }
      stoppedMs = STOPPED.has(type) ? (stoppedMs ?? atMs) : undefined;
    }
    messages++;
    if (messages > MAX_MESSAGES || readings.size > MAX_READINGS || laps.length + pauses.length > MAX_SPANS)
      throw new FitError('too_long');
  }
  return { readings, laps, pauses };
}

type Fields = FitMessage['fields'];

/** The base type of a time is the file's choice: what is no time of the format is none. */
function msOf(seconds: number | undefined): number | undefined {
  const isTime = seconds !== undefined && Number.isInteger(seconds) && seconds >= 0 && seconds <= LAST_SECOND;
  return isTime ? (EPOCH_SECONDS + seconds) * MS_PER_SECOND : undefined;
}

/** Adds what one record measured. */
function measure(reading: FitReading, fields: Fields): void {
  const heartRate = fields.get(RECORD.heartRate) ?? 0;
  if (heartRate > 0) reading.heartRate = heartRate;
  const speed = fields.get(RECORD.enhancedSpeed) ?? fields.get(RECORD.speed);
  if (speed !== undefined) reading.speed = speed / MILLI;
  const cadence = fields.get(RECORD.cadence);
  const fraction = fields.get(RECORD.fractionalCadence) ?? 0;
  if (cadence !== undefined) reading.cadence = cadence + fraction / CADENCE_FRACTIONS;
  const power = fields.get(RECORD.power);
  if (power !== undefined) reading.power = power;
  const altitude = fields.get(RECORD.enhancedAltitude) ?? fields.get(RECORD.altitude);
  if (altitude !== undefined) reading.elevation = (altitude - ALTITUDE.sea) / ALTITUDE.scale;
  const latitude = fields.get(RECORD.latitude);
  const longitude = fields.get(RECORD.longitude);
  if (latitude === undefined || longitude === undefined || Math.abs(latitude * DEGREES) > MAX_LATITUDE) return;
  reading.latitude = latitude * DEGREES;
  reading.longitude = longitude * DEGREES;
}

function lapOf(fields: Fields): FitSpan[] {
  const startMs = msOf(fields.get(LAP.start));
  const elapsed = fields.get(LAP.elapsed);
  const distance = fields.get(LAP.distance);
  if (startMs === undefined || elapsed === undefined || elapsed < 0) return [];
  const durationSeconds = elapsed / MILLI;
  return [{ startMs, durationSeconds, ...(distance !== undefined && { distanceMeters: distance / CENTI }) }];
}
