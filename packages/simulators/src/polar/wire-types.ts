/** What the vendor holds of one thing. What else it has, the vendor's description says. */
export interface PolarDocument {
  [member: string]: unknown;
}

export interface PolarExercise extends PolarDocument {
  id: string;
  /** RFC 3339, UTC. */
  upload_time: string;
  /** Wall clock of the device. */
  start_time: string;
  /** Minutes ahead of UTC. */
  start_time_utc_offset: number;
  /** ISO 8601, with fractions of seconds. */
  duration: string;
}

/** The value of one step sample holds until the next one. */
interface PolarStepSample {
  steps: number;
  /** Wall clock. */
  timestamp: string;
}

export interface PolarActivity extends PolarDocument {
  /** Wall clock; of a day that still grows it may move. */
  start_time: string;
  samples?: { date: string; steps: { interval_ms: number; total_steps: number; samples: PolarStepSample[] } };
}

/** A night, a recharge, a day of heart rates or of load. */
export interface PolarDated extends PolarDocument {
  /** `YYYY-MM-DD`. */
  date: string;
}

/** A period of the sleep analysis; times are UTC without saying so. */
export interface PolarPeriod extends PolarDocument {
  period_start_time: string;
  sleep_timezone_offset_minutes: number;
}

export interface PolarTest extends PolarDocument {
  /** Seconds since 1970. */
  test_time: number;
  time_zone_offset: number;
}

/** What is stored for an account. */
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
