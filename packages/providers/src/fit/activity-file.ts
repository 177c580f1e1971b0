import { MS_PER_SECOND } from '@healthd/model';
import { Turns } from '../turns.js';
import { type FitDamage, FitError } from './fit-error.js';
import { FitFile, type FitMessage, TIMESTAMP } from './fit-messages.js';

/** Measurements of one second in SI units; rates per minute. Values without a sensor are missing. */
export interface FitReading {
  heartRate?: number;
  speed?: number;
  /** As in the file: one leg's cadence for activities on foot. */
  cadence?: number;
  power?: number;
  elevation?: number;
  /** Degrees. Latitude and longitude are both present or both missing. */
  latitude?: number;
  longitude?: number;
}

/** A lap, or a time without recording. */
interface FitSpan {
  startMs: number;
  durationSeconds: number;
  distanceMeters?: number;
}

/** Figures that the watch computed for a workout or for one of its sports. Altitudes in meters. */
export interface FitSession {
  heartRateMin?: number;
  heartRateAvg?: number;
  heartRateMax?: number;
  elevationGain?: number;
  elevationLow?: number;
  elevationHigh?: number;
}

/** Content of a workout file. */
export interface FitActivity {
  /** Readings by instant, in milliseconds since 1970. */
  readings: ReadonlyMap<number, FitReading>;
  laps: readonly FitSpan[];
  /** Pauses that ended. */
  pauses: readonly FitSpan[];
  /** Figures of each sport of the workout. */
  sessions: readonly FitSession[];
  /** Reason why a part of the file is missing or uncertain. */
  damage: FitDamage | undefined;
}

/**
 * Maximum number of readings: two days with one reading per second. Watches with longer recordings record less often.
 */
const MAX_READINGS = 172_800;
const MAX_SPANS = 2_000;
/** Maximum number of messages, because each second may have several records. */
const MAX_MESSAGES = 4 * MAX_READINGS;
const MESSAGES_A_TURN = 1_024;
/** 1989-12-31T00:00:00Z. */
const EPOCH_SECONDS = 631_065_600;
/** Largest valid time in seconds. The next number marks a missing time. */
const LAST_SECOND = 0xfffffffe;

const MESSAGES = { session: 18, lap: 19, record: 20, event: 21 } as const;
/** Field numbers in the format's public profile, by name. */
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
const SESSION = {
  heartRateAvg: 16,
  heartRateMax: 17,
  ascent: 22,
  highest: 50,
  heartRateMin: 64,
  lowest: 71,
  enhancedLowest: 127,
  enhancedHighest: 128,
} as const;
const LAP = { start: 2, elapsed: 7, distance: 9 } as const;
const EVENT = { event: 0, type: 1 } as const;
const TIMER = 0;
const STARTED = 0;
/** Event types that stop a recording, at its end or before a pause. */
const STOPPED: ReadonlySet<number | undefined> = new Set([1, 4, 8, 9]);

const REQUESTED_FIELDS = {
  [MESSAGES.session]: Object.values(SESSION),
  [MESSAGES.record]: Object.values(RECORD),
  [MESSAGES.lap]: Object.values(LAP),
  [MESSAGES.event]: Object.values(EVENT),
};

const DEGREES = 180 / 2 ** 31;
const MAX_LATITUDE = 90;
const MILLI = 1_000;
const CENTI = 100;
/** Altitudes are fifths of a meter above -500 m. */
const ALTITUDE = { scale: 5, sea: 2_500 };
const CADENCE_FRACTIONS = 128;

/**
 * Reads the file of a workout. Joins several records of one second. Skips unknown messages and developer fields. Reads
 * a file with a damaged end or checksum up to the damage and reports it in `damage`. Yields to the event loop while it
 * reads.
 * @throws FitError if the bytes are not a FIT file, the file is too long, or a damaged file contains no readable data
 */
export async function readFitActivity(bytes: Uint8Array): Promise<FitActivity> {
  const file = new FitFile(bytes, REQUESTED_FIELDS);
  const readings = new Map<number, FitReading>();
  const laps: FitSpan[] = [];
  const pauses: FitSpan[] = [];
  const sessions: FitSession[] = [];
  let stoppedMs: number | undefined;
  let messages = 0;
  const turns = new Turns();
  for (const message of file.messages()) {
    if (!message || messages % MESSAGES_A_TURN === 0) await turns.yieldIfLong();
    if (!message) continue;
    const { number, fields } = message;
    const atMs = msOf(fields.get(TIMESTAMP));
    if (number === MESSAGES.lap) {
      laps.push(...lapOf(fields));
    } else if (number === MESSAGES.session) {
      sessions.push(sessionOf(fields));
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
    const spans = laps.length + pauses.length + sessions.length;
    if (messages > MAX_MESSAGES || readings.size > MAX_READINGS || spans > MAX_SPANS) throw new FitError('too_long');
  }
  const { damage } = file;
  if (damage !== undefined && readings.size + laps.length + sessions.length === 0) throw new FitError(damage);
  return { readings, laps, pauses, sessions, damage };
}

type Fields = FitMessage['fields'];

/**
 * Converts seconds to an instant; undefined for invalid times. The file chooses the base type, so a time may be
 * negative, fractional or too large.
 */
function msOf(seconds: number | undefined): number | undefined {
  const isTime = seconds !== undefined && Number.isInteger(seconds) && seconds >= 0 && seconds <= LAST_SECOND;
  return isTime ? (EPOCH_SECONDS + seconds) * MS_PER_SECOND : undefined;
}

/** Adds the measurements of one record. */
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
  const elevation = metersOf(fields.get(RECORD.enhancedAltitude) ?? fields.get(RECORD.altitude));
  if (elevation !== undefined) reading.elevation = elevation;
  const latitude = fields.get(RECORD.latitude);
  const longitude = fields.get(RECORD.longitude);
  if (latitude === undefined || longitude === undefined || Math.abs(latitude * DEGREES) > MAX_LATITUDE) return;
  reading.latitude = latitude * DEGREES;
  reading.longitude = longitude * DEGREES;
}

function metersOf(altitude: number | undefined): number | undefined {
  return altitude === undefined ? undefined : (altitude - ALTITUDE.sea) / ALTITUDE.scale;
}

function sessionOf(fields: Fields): FitSession {
  const rate = (field: number) => fields.get(field) || undefined;
  const figures: FitSession = {
    heartRateMin: rate(SESSION.heartRateMin),
    heartRateAvg: rate(SESSION.heartRateAvg),
    heartRateMax: rate(SESSION.heartRateMax),
    elevationGain: fields.get(SESSION.ascent),
    elevationLow: metersOf(fields.get(SESSION.enhancedLowest) ?? fields.get(SESSION.lowest)),
    elevationHigh: metersOf(fields.get(SESSION.enhancedHighest) ?? fields.get(SESSION.highest)),
  };
  return Object.fromEntries(Object.entries(figures).filter(([, figure]) => figure !== undefined));
}

function lapOf(fields: Fields): FitSpan[] {
  const startMs = msOf(fields.get(LAP.start));
  const elapsed = fields.get(LAP.elapsed);
  const distance = fields.get(LAP.distance);
  if (startMs === undefined || elapsed === undefined || elapsed < 0) return [];
  const durationSeconds = elapsed / MILLI;
  return [{ startMs, durationSeconds, ...(distance !== undefined && { distanceMeters: distance / CENTI }) }];
}
