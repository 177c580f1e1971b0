/** Collections of documents, by their names in URLs. */
export const COLLECTIONS = [
  'sleep',
  'workout',
  'daily_activity',
  'daily_sleep',
  'daily_readiness',
  'daily_spo2',
  'daily_stress',
  'daily_resilience',
  'daily_cardiovascular_age',
  'vO2_max',
] as const;
export type OuraCollection = (typeof COLLECTIONS)[number];

/** A document of any collection. The vendor documents its other members. */
export interface OuraDocument {
  id: string;
  /** `YYYY-MM-DD`. */
  day: string;
  [member: string]: unknown;
}

export interface OuraHeartRate {
  /** RFC 3339. */
  timestamp: string;
  bpm: number;
  source: 'awake' | 'rest' | 'sleep' | 'session' | 'live' | 'workout';
}

export interface OuraPersonalInfo {
  age: number;
  /** kg */
  weight: number | null;
  /** m */
  height: number | null;
  biological_sex: string;
}

/** Stored data of an account. */
export type OuraInput = Partial<Record<OuraCollection, OuraDocument[]>> & { heartrate?: OuraHeartRate[] };

type OuraEventType = 'create' | 'update' | 'delete';

/** A report of a change. */
export interface OuraEvent {
  event_type: OuraEventType;
  /** Lower-case collection name. */
  data_type: string;
  object_id: string;
  /** RFC 3339. */
  event_time: string;
  user_id: string;
}
