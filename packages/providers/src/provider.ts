import type { ProviderId, SeriesCode } from '@healthd/model';
import type { CloudProvider } from './cloud/index.js';
import type { PushAdapter } from './device-push/adapter.js';
import type { FileAdapter } from './files/index.js';
import type { ProviderTerms } from './terms.js';

/** Ways in which a provider's data can reach the service. */
export interface ProviderCapabilities {
  /** Users connect by the vendor's consent page. */
  oauth: boolean;
  /** The service asks the vendor for data. */
  pull: boolean;
  /** A mobile client sends what the phone's store holds. */
  push: boolean;
  /** Users upload an export file. */
  file: boolean;
  /** The vendor says when there is something new. */
  webhook: boolean;
}

/** Fields of a workout that an adapter can fill, by their names in the contract. */
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

/** Fields of a night that an adapter's data lead to, by their names in the contract. */
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

/** What an adapter really emits; a test runs the adapter and compares. */
export interface ProviderCoverage {
  series: readonly SeriesCode[];
  workoutFields: readonly WorkoutField[];
  sleepFields: readonly SleepField[];
  menstrualCycleFields: readonly string[];
  /** Categories of scores that the provider computes itself. */
  healthScores: readonly string[];
}

/** One integration. A provider is listed once it has an adapter. */
export interface Provider {
  id: ProviderId;
  displayName: string;
  capabilities: ProviderCapabilities;
  coverage: ProviderCoverage;
  /** What the vendor's terms oblige the operator to. */
  terms: ProviderTerms;
  /** How a mobile client's payload is read; set exactly when the provider can be pushed. */
  push?: PushAdapter;
  /** Which files users may hand over and how they are read; set exactly when the provider has a file. */
  file?: FileAdapter;
  /** The vendor's cloud; set exactly when users connect by the vendor's consent page. */
  cloud?: CloudProvider;
  /** How far back the vendor gives data; undefined where it sets no bound. */
  maxHistoricalDays?: number;
}
