import type { ProviderId, SeriesCode } from '@healthd/model';
import type { CloudProvider } from './cloud/index.js';
import type { PushAdapter } from './device-push/adapter.js';
import type { FileAdapter } from './files/index.js';
import type { ProviderTerms } from './terms.js';

/** Ways in which a provider's data can reach the service. */
export interface ProviderCapabilities {
  /** True if users connect through the vendor's consent page. */
  oauth: boolean;
  /** True if the service requests data from the vendor. */
  pull: boolean;
  /** True if a mobile client sends the data in the phone's store. */
  push: boolean;
  /** True if users upload an export file. */
  file: boolean;
  /** True if the vendor reports new data. */
  webhook: boolean;
}

/** Workout fields that an adapter can fill, by their names in the contract. */
export const WORKOUT_FIELDS = [
  'average_cadence',
  'average_speed',
  'average_watts',
  'distance',
  'elev_high',
  'elev_low',
  'energy_burned',
  'heart_rate_avg',
  'heart_rate_max',
  'heart_rate_min',
  'max_speed',
  'max_watts',
  'moving_time_seconds',
  'steps_count',
  'total_elevation_gain',
] as const;
export type WorkoutField = (typeof WORKOUT_FIELDS)[number];

/** Night fields from an adapter's data, by their names in the contract. */
export const SLEEP_FIELDS = [
  'is_nap',
  'sleep_awake_minutes',
  'sleep_deep_minutes',
  'sleep_efficiency_score',
  'sleep_light_minutes',
  'sleep_rem_minutes',
  'sleep_stages',
  'sleep_time_in_bed_minutes',
  'sleep_total_duration_minutes',
] as const;
export type SleepField = (typeof SLEEP_FIELDS)[number];

/** Data that an adapter emits. A test compares this list with the adapter's output. */
export interface ProviderCoverage {
  series: readonly SeriesCode[];
  workoutFields: readonly WorkoutField[];
  sleepFields: readonly SleepField[];
  menstrualCycleFields: readonly string[];
  /** Categories of scores that the provider computes. */
  healthScores: readonly string[];
}

/** One integration. A provider is listed once it has an adapter. */
export interface Provider {
  id: ProviderId;
  displayName: string;
  capabilities: ProviderCapabilities;
  coverage: ProviderCoverage;
  /** Obligations of the operator from the vendor's terms. */
  terms: ProviderTerms;
  /** Reads a mobile client's payload; set if and only if the provider supports pushes. */
  push?: PushAdapter;
  /** Accepted files and their reader; set if and only if the provider supports files. */
  file?: FileAdapter;
  /** The vendor's cloud; set if and only if users connect by the vendor's consent page. */
  cloud?: CloudProvider;
  /** Days of history that the vendor provides; undefined without a limit. */
  maxHistoricalDays?: number;
}
