/** Collections of documents, by their names in addresses. */
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

/** A document of any collection. What else it has, the vendor's description of the collection says. */
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

/** What is stored for an account. */
export type OuraInput = Partial<Record<OuraCollection, OuraDocument[]>> & { heartrate?: OuraHeartRate[] };

type OuraEventType = 'create' | 'update' | 'delete';

/** A report of a change. */
export interface OuraEvent {
  event_type: OuraEventType;
  /** As the collection, in lower case. */
  data_type: string;
  object_id: string;
  /** RFC 3339. */
  event_time: string;
  user_id: string;
}
