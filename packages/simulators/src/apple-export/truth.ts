import { type DeviceKey, SIMULATED_DEVICES, type SimulatedDevice } from './devices.js';

/** One device's values of one local day: sums and extremes of exactly the values in the file, in our units. */
export interface TrueDay {
  steps: number;
  distanceMeters: number;
  activeKcal: number;
  basalKcal: number;
  flights: number;
  exerciseMinutes: number;
  heartRate?: { min: number; max: number; sum: number; count: number };
}

export interface TrueWorkout {
  /** Unified type. */
  type: string;
  startMs: number;
  endMs: number;
  durationSeconds: number;
  activeKcal: number;
  basalKcal: number;
  distanceMeters?: number;
  elevationGainMeters?: number;
  steps?: number;
  heartRateMin: number;
  heartRateAvg: number;
  heartRateMax: number;
}

/** One device's night in seconds; a phone only records the time in bed. */
export interface TrueNight {
  /** Local date of waking. */
  date: string;
  device: DeviceKey;
  startMs: number;
  endMs: number;
  lightSeconds: number;
  deepSeconds: number;
  remSeconds: number;
  awakeSeconds: number;
  inBedSeconds: number;
}

/** Expected content of the generated file; complete after the last chunk was read. */
export interface ExportTruth {
  timeZone: string;
  /** First and last local date, `YYYY-MM-DD`. */
  firstDate: string;
  lastDate: string;
  bytes: number;
  /** Number of records in the whole file by identifier, without records nested in correlations. */
  recordCounts: Record<string, number>;
  devices: Readonly<Record<DeviceKey, SimulatedDevice>>;
  /** Days by local date, then by device. */
  days: Record<string, Partial<Record<DeviceKey, TrueDay>>>;
  workouts: TrueWorkout[];
  nights: TrueNight[];
  personal: { birthDate: string; gender: string };
}

/** Returns an empty truth. */
export function emptyTruth(timeZone: string, firstDate: string, lastDate: string): ExportTruth {
  return {
    timeZone,
    firstDate,
    lastDate,
    bytes: 0,
    recordCounts: {},
    devices: SIMULATED_DEVICES,
    days: {},
    workouts: [],
    nights: [],
    personal: { birthDate: '1988-04-12', gender: 'female' },
  };
}

/** Returns a device's entry on a day. Creates the entry if it is missing. */
export function trueDay(truth: ExportTruth, date: string, device: DeviceKey): TrueDay {
  truth.days[date] ??= {};
  const day = truth.days[date];
  day[device] ??= {
    steps: 0,
    distanceMeters: 0,
    activeKcal: 0,
    basalKcal: 0,
    flights: 0,
    exerciseMinutes: 0,
  };
  return day[device];
}
