/** Records as the vendor's API writes them. Instants are RFC 3339 in UTC, offsets `+02:00` or `Z`. */
export type ScoreState = 'SCORED' | 'PENDING_SCORE' | 'UNSCORABLE';

interface Stamped {
  user_id: number;
  created_at: string;
  updated_at: string;
  score_state: ScoreState;
}

/** A cycle, from one night to the next. The current cycle has no end. */
export interface WhoopCycle extends Stamped {
  id: number;
  start: string;
  end?: string | null;
  timezone_offset: string;
  score?: {
    strain: number;
    kilojoule: number;
    average_heart_rate: number;
    max_heart_rate: number;
    step_count?: number;
  } | null;
}

/** A night or a nap: sums of stages, no intervals. */
export interface WhoopSleep extends Stamped {
  id: string;
  cycle_id: number;
  v1_id: number | null;
  start: string;
  end: string;
  timezone_offset: string;
  nap: boolean;
  score?: {
    stage_summary: Record<string, number | null>;
    sleep_needed: Record<string, number>;
    respiratory_rate?: number;
    sleep_performance_percentage?: number;
    sleep_consistency_percentage?: number;
    sleep_efficiency_percentage?: number;
  } | null;
}

/** Effect of a night on the next day; it contains neither a time nor a zone. */
export interface WhoopRecovery extends Stamped {
  cycle_id: number;
  sleep_id: string;
  score?: {
    user_calibrating: boolean;
    recovery_score: number;
    resting_heart_rate: number;
    hrv_rmssd_milli: number;
    spo2_percentage?: number;
    skin_temp_celsius?: number;
  } | null;
}

export interface WhoopWorkout extends Stamped {
  id: string;
  v1_id: number | null;
  start: string;
  end: string;
  timezone_offset: string;
  sport_name?: string;
  sport_id?: number;
  score?: {
    strain: number;
    average_heart_rate: number;
    max_heart_rate: number;
    kilojoule: number;
    percent_recorded: number;
    distance_meter?: number;
    altitude_gain_meter?: number;
    altitude_change_meter?: number;
    zone_durations: Record<string, number>;
  } | null;
}

export interface WhoopBody {
  height_meter: number;
  weight_kilogram: number;
  max_heart_rate: number;
}

/** Records of a test. The simulator fills in the other members. */
type Input<Item extends Stamped, Required extends keyof Item> = Pick<Item, Required> & Partial<Item>;

/** Records to store. A record with the same id keeps the members that the input lacks. */
export interface RecordInput {
  cycles?: Input<WhoopCycle, 'id' | 'start'>[];
  sleeps?: Input<WhoopSleep, 'id' | 'cycle_id' | 'start' | 'end'>[];
  recoveries?: Input<WhoopRecovery, 'sleep_id' | 'cycle_id'>[];
  workouts?: Input<WhoopWorkout, 'id' | 'start' | 'end'>[];
}

/** Record types that events report. */
export type EventSubject = 'sleep' | 'recovery' | 'workout';

/** One event of the vendor's webhooks. */
export interface WhoopEvent {
  user_id: number;
  /** Id of the record. The event of a recovery contains the id of the recovery's sleep. */
  id: string | number;
  type: `${EventSubject}.${'updated' | 'deleted'}`;
  trace_id: string;
}
