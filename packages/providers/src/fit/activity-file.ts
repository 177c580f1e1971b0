import { isOffsetMinutes, MS_PER_SECOND } from '@healthd/model';
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
  /** Degrees Celsius. */
  temperature?: number;
  /** Meters since the start of the workout. */
  distance?: number;
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
  /** Code of the sport and of its variant. */
  sport?: number;
  subSport?: number;
  startMs?: number;
  elapsedSeconds?: number;
  /** Time without pauses. */
  timerSeconds?: number;
  distanceMeters?: number;
  /** Strides, pedal revolutions or swim strokes, by sport. */
  cycles?: number;
  /** Active and basal energy together. */
  totalKcal?: number;
  averageSpeed?: number;
  maxSpeed?: number;
  /** As in the file, see {@link FitReading.cadence}. */
  averageCadence?: number;
  averagePower?: number;
  maxPower?: number;
  descentMeters?: number;
}

/** Code of a sport and of its variant. */
type FitSport = Pick<FitSession, 'sport' | 'subSport'>;

/** Device that wrote a file. */
export interface FitDevice {
  /** Code of the manufacturer, and the manufacturer's code of the product. */
  manufacturer?: number;
  product?: number;
  /** Name of the product, which few devices write. */
  productName?: string;
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
  /** Sport that the device was set to first. Devices write it before the readings, and the sessions after them. */
  sport: FitSport | undefined;
  /** Code of the file's type; 4 for an activity. */
  fileType: number | undefined;
  device: FitDevice;
  /** Offset of local time from UTC; undefined if the file contains none. */
  offsetMinutes: number | undefined;
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

const MESSAGES = {
  fileId: 0,
  sport: 12,
  session: 18,
  lap: 19,
  record: 20,
  event: 21,
  deviceInfo: 23,
  activity: 34,
} as const;
/** Field numbers in the format's public profile, by name. */
const RECORD = {
  latitude: 0,
  longitude: 1,
  altitude: 2,
  heartRate: 3,
  cadence: 4,
  distance: 5,
  speed: 6,
  power: 7,
  temperature: 13,
  fractionalCadence: 53,
  enhancedSpeed: 73,
  enhancedAltitude: 78,
} as const;
const SESSION = {
  start: 2,
  sport: 5,
  subSport: 6,
  elapsed: 7,
  timer: 8,
  distance: 9,
  cycles: 10,
  calories: 11,
  averageSpeed: 14,
  maxSpeed: 15,
  averageCadence: 18,
  averagePower: 20,
  maxPower: 21,
  descent: 23,
  averageFractionalCadence: 92,
  enhancedAverageSpeed: 124,
  enhancedMaxSpeed: 125,
  heartRateAvg: 16,
  heartRateMax: 17,
  ascent: 22,
  highest: 50,
  heartRateMin: 64,
  lowest: 71,
  enhancedLowest: 127,
  enhancedHighest: 128,
} as const;
const SPORT = { sport: 0, subSport: 1 } as const;
const LAP = { start: 2, elapsed: 7, distance: 9 } as const;
const EVENT = { event: 0, type: 1 } as const;
const FILE_ID = { type: 0, manufacturer: 1, product: 2, productName: 8 } as const;
const DEVICE_INFO = { index: 0, productName: 27 } as const;
/** Index of the device that wrote the file among all devices and sensors. */
const CREATOR = 0;
const ACTIVITY = { localTime: 5 } as const;
const TIMER = 0;
const STARTED = 0;
/** Event types that stop a recording, at its end or before a pause. */
const STOPPED: ReadonlySet<number | undefined> = new Set([1, 4, 8, 9]);

const REQUESTED_FIELDS = {
  [MESSAGES.fileId]: Object.values(FILE_ID),
  [MESSAGES.sport]: Object.values(SPORT),
  [MESSAGES.deviceInfo]: Object.values(DEVICE_INFO),
  [MESSAGES.activity]: Object.values(ACTIVITY),
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
  const facts = new FileFacts();
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
    } else if (number !== MESSAGES.event) {
      facts.add(message);
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
  const { fileType, sport, device, offsetMinutes } = facts;
  return { readings, laps, pauses, sessions, sport, fileType, device, offsetMinutes, damage };
}

/** Facts about the file and the device that wrote it. */
class FileFacts {
  fileType: number | undefined;
  sport: FitSport | undefined;
  offsetMinutes: number | undefined;
  readonly device: FitDevice = {};

  add({ number, fields, texts }: FitMessage): void {
    if (number === MESSAGES.activity) {
      this.offsetMinutes ??= offsetBetween(fields.get(TIMESTAMP), fields.get(ACTIVITY.localTime));
    } else if (number === MESSAGES.sport) {
      this.sport ??= { sport: fields.get(SPORT.sport), subSport: fields.get(SPORT.subSport) };
    } else if (number === MESSAGES.deviceInfo) {
      if (fields.get(DEVICE_INFO.index) === CREATOR) this.setProductName(texts?.get(DEVICE_INFO.productName));
    } else if (number === MESSAGES.fileId) {
      this.fileType ??= fields.get(FILE_ID.type);
      this.setDevice('manufacturer', fields.get(FILE_ID.manufacturer));
      this.setDevice('product', fields.get(FILE_ID.product));
      this.setProductName(texts?.get(FILE_ID.productName));
    }
  }

  private setDevice(name: 'manufacturer' | 'product', code: number | undefined): void {
    if (code !== undefined) this.device[name] ??= code;
  }

  private setProductName(text: string | undefined): void {
    if (text) this.device.productName ??= text;
  }
}

/** Returns the offset between two times in seconds; undefined unless it is a quarter of an hour of a time zone. */
function offsetBetween(utc: number | undefined, local: number | undefined): number | undefined {
  if (utc === undefined || local === undefined) return undefined;
  const quarters = (local - utc) / (15 * 60);
  return Number.isInteger(quarters) && isOffsetMinutes(quarters * 15) ? quarters * 15 : undefined;
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
  const temperature = fields.get(RECORD.temperature);
  if (temperature !== undefined) reading.temperature = temperature;
  const distance = fields.get(RECORD.distance);
  if (distance !== undefined) reading.distance = distance / CENTI;
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
  const scaled = (field: number, scale: number) => {
    const value = fields.get(field);
    return value === undefined ? undefined : value / scale;
  };
  const cadence = rate(SESSION.averageCadence);
  const cadenceFraction = fields.get(SESSION.averageFractionalCadence) ?? 0;
  const figures: FitSession = {
    heartRateMin: rate(SESSION.heartRateMin),
    heartRateAvg: rate(SESSION.heartRateAvg),
    heartRateMax: rate(SESSION.heartRateMax),
    elevationGain: fields.get(SESSION.ascent),
    elevationLow: metersOf(fields.get(SESSION.enhancedLowest) ?? fields.get(SESSION.lowest)),
    elevationHigh: metersOf(fields.get(SESSION.enhancedHighest) ?? fields.get(SESSION.highest)),
    sport: fields.get(SESSION.sport),
    subSport: fields.get(SESSION.subSport),
    startMs: msOf(fields.get(SESSION.start)),
    elapsedSeconds: scaled(SESSION.elapsed, MILLI),
    timerSeconds: scaled(SESSION.timer, MILLI),
    distanceMeters: scaled(SESSION.distance, CENTI),
    cycles: rate(SESSION.cycles),
    totalKcal: rate(SESSION.calories),
    averageSpeed: scaled(SESSION.enhancedAverageSpeed, MILLI) ?? scaled(SESSION.averageSpeed, MILLI),
    maxSpeed: scaled(SESSION.enhancedMaxSpeed, MILLI) ?? scaled(SESSION.maxSpeed, MILLI),
    averageCadence: cadence === undefined ? undefined : cadence + cadenceFraction / CADENCE_FRACTIONS,
    averagePower: rate(SESSION.averagePower),
    maxPower: rate(SESSION.maxPower),
    descentMeters: fields.get(SESSION.descent),
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
