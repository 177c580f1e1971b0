/** An item of the vendor. The vendor documents its other members. */
export interface PolarDocument {
  [member: string]: unknown;
}

export interface PolarExercise extends PolarDocument {
  id: string;
  /** RFC 3339, UTC. */
  upload_time: string;
  /** Local time of the device. */
  start_time: string;
  /** Minutes ahead of UTC. */
  start_time_utc_offset: number;
  /** ISO 8601, with fractions of seconds. */
  duration: string;
}

/** A step sample. Its value applies until the next sample. */
interface PolarStepSample {
  steps: number;
  /** Local time. */
  timestamp: string;
}

export interface PolarActivity extends PolarDocument {
  /** Local time; it may change while the day grows. */
  start_time: string;
  samples?: { date: string; steps: { interval_ms: number; total_steps: number; samples: PolarStepSample[] } };
}

/** A night, a recharge, a day of heart rates or of load. */
export interface PolarDated extends PolarDocument {
  /** `YYYY-MM-DD`. */
  date: string;
}

/** A sleep analysis period; times are UTC without an offset. */
export interface PolarPeriod extends PolarDocument {
  period_start_time: string;
  sleep_timezone_offset_minutes: number;
}

export interface PolarTest extends PolarDocument {
  /** Seconds since 1970. */
  test_time: number;
  time_zone_offset: number;
}

/** Stored data of an account. */
export interface PolarInput {
  exercises?: PolarExercise[];
  activities?: PolarActivity[];
  sleep?: PolarDated[];
  recharges?: PolarDated[];
  heartRates?: PolarDated[];
  cardioLoads?: PolarDated[];
  alertness?: PolarPeriod[];
  bedtimes?: PolarPeriod[];
  bodyTemperatures?: (PolarDocument & { start_time: string })[];
  skinTemperatures?: (PolarDocument & { sleep_date: string })[];
  spo2?: PolarTest[];
  ecg?: PolarTest[];
}
export type PolarCollection = keyof PolarInput;

/** A report of a change. */
export interface PolarEvent {
  event: string;
  user_id: number;
  timestamp: string;
  url: string;
  entity_id?: string;
  date?: string;
  from?: string;
  to?: string;
}
