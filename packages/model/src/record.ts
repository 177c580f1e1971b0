import type { DeviceType } from './device-types.js';
import type { Gender } from './genders.js';
import type { ProviderId } from './providers.js';
import type { SleepStage } from './sleep.js';
import type { WorkoutType } from './workouts.js';

/**
 * Origin of a measurement. Two records belong to one source if user, `provider`, `account`, `deviceModel`, `writer` and
 * `deviceId` are equal. The other members describe the source and follow the last observation.
 */
export interface SourceIdentity {
  /** Integration the data arrived through. */
  provider: ProviderId;
  /**
   * Vendor account of cloud data. Adapters omit it, and the service adds the connection's account. Pushed data and
   * files have no account.
   */
  account?: string;
  /** Raw hardware code or model text, e.g. `Watch6,2`. */
  deviceModel?: string;
  /** The application that wrote the value into the vendor's store, e.g. `Zepp Life`. */
  writer?: string;
  /** The vendor's id of one physical device, if it is needed to distinguish two devices of the same model. */
  deviceId?: string;
  deviceType?: DeviceType;
  softwareVersion?: string;
  /** Display name of the writer. */
  originalSourceName?: string;
}

/**
 * Scope of a sample. It is part of the sample's identity, so that a daily total never collides with the first reading
 * of that day. `sample` is an ordinary reading, `daily_total` the provider's total of a local day, `aggregate` one
 * value for a whole night or workout.
 */
export type SampleKind = 'sample' | 'daily_total' | 'aggregate';

/** Stored numbers of {@link SampleKind}. */
export const SAMPLE_KIND_CODE = { sample: 0, daily_total: 1, aggregate: 2 } as const satisfies Record<
  SampleKind,
  number
>;

/** Members of all records with a time. Instants are milliseconds since 1970-01-01T00:00:00Z. */
interface Placed {
  source: SourceIdentity;
  /** Minutes by which local time was ahead of UTC; undefined if the vendor does not report it. */
  offsetMinutes?: number;
}

/** One value of one series, in the unit of that series. */
export interface SampleRecord extends Placed {
  kind: 'sample';
  /**
   * The vendor's id of the item that contains the sample. A sample with the same id, series and start is a newer
   * version. Samples without an id are distinguished by their content.
   */
  externalId?: string;
  /** Id of the series type, see `seriesTypeById`. */
  typeId: number;
  startMs: number;
  /** Length of the interval that the value covers; undefined for a reading at an instant. */
  durationMs?: number;
  value: number;
  /** Minimum and maximum of the readings whose mean is `value`, if the vendor reports them. */
  extremes?: Extremes;
  /** Value of the computed series (`COMPUTED_SERIES`) that the adapter computed from this sample's details. */
  computed?: number;
  sampleKind: SampleKind;
}

/** Minimum and maximum of readings, in the unit of their series. */
export interface Extremes {
  minimum: number;
  maximum: number;
}

/** One stage interval as a device wrote it. `store/facts/sleep/` assembles sessions from stages. */
export interface SleepStageRecord extends Placed {
  kind: 'sleep_stage';
  stage: SleepStage;
  startMs: number;
  endMs: number;
  /** The vendor's id of the session that contains the stage. Without an id, pauses separate sessions. */
  sessionId?: string;
  /** Id under which a phone pushed the stage and reports its deletion. */
  pushedId?: string;
}

/** A sleep session that the vendor assembled itself. Durations in seconds, efficiency 0..100. */
export interface SleepSessionRecord extends Placed {
  kind: 'sleep_session';
  externalId?: string;
  startMs: number;
  endMs: number;
  isNap?: boolean;
  asleepSeconds?: number;
  inBedSeconds?: number;
  awakeSeconds?: number;
  lightSeconds?: number;
  deepSeconds?: number;
  remSeconds?: number;
  efficiencyPercent?: number;
  stages?: { stage: SleepStage; startMs: number; endMs: number }[];
  /**
   * True for a version without sleep figures. It is dropped if its source already has a session with figures at that
   * time.
   */
  isInterim?: true;
}

/** A pause, lap, segment or marker inside a workout. */
export interface WorkoutEvent {
  type: 'pause' | 'resume' | 'motion_pause' | 'motion_resume' | 'lap' | 'segment' | 'marker';
  startMs: number;
  durationSeconds?: number;
  /** The vendor's name of the segment, such as an exercise type. */
  label?: string;
  /** Repetitions of an exercise. */
  repetitions?: number;
  distanceMeters?: number;
}

/** A workout. SI units; energy in kcal; speeds in m/s; heart rate in bpm; cadence in rpm. */
export interface WorkoutRecord extends Placed {
  kind: 'workout';
  externalId?: string;
  /** Id under which a phone pushed the workout and reports its deletion. */
  pushedId?: string;
  /**
   * `writer` if the id is unique across all of the writer's sources and devices; undefined if it is unique only within
   * one source.
   */
  idScope?: 'writer';
  /**
   * True if the notification reports a new workout. A stored version of the workout may be newer and is then not
   * replaced.
   */
  isCreation?: true;
  /** True if the record only fills empty members of a stored workout. It is dropped if no such workout is stored. */
  isCompletion?: true;
  type: WorkoutType;
  name?: string;
  startMs: number;
  endMs: number;
  /** Active time without pauses. */
  durationSeconds?: number;
  movingSeconds?: number;
  distanceMeters?: number;
  /** Active energy only. */
  caloriesKcal?: number;
  basalCaloriesKcal?: number;
  /** Active and basal energy together, if the vendor reports the sum or both parts. */
  totalCaloriesKcal?: number;
  stepsCount?: number;
  heartRateMin?: number;
  heartRateAvg?: number;
  heartRateMax?: number;
  averageSpeed?: number;
  maxSpeed?: number;
  averageWatts?: number;
  maxWatts?: number;
  averageCadence?: number;
  elevationGainMeters?: number;
  elevationLowMeters?: number;
  elevationHighMeters?: number;
  indoor?: boolean;
  userEntered?: boolean;
  events?: WorkoutEvent[];
  /** Parts of a multisport workout. */
  activities?: {
    type: WorkoutType;
    startMs: number;
    endMs?: number;
    durationSeconds?: number;
    distanceMeters?: number;
  }[];
  /** Other vendor facts to store, such as weather or lap length, with the unit in the key. */
  metadata?: Record<string, string | number | boolean>;
}

/** One menstrual cycle. Days are counted from 1; the start of the fertile window is a day number in the cycle. */
export interface MenstrualCycleRecord extends Placed {
  kind: 'menstrual_cycle';
  externalId?: string;
  startMs: number;
  endMs: number;
  details: Record<string, unknown>;
}

/** A score that the provider computed. */
export interface HealthScoreRecord extends Placed {
  kind: 'health_score';
  externalId?: string;
  category: string;
  value?: number;
  /** Spans over which the score is the maximum of `value` and the source's stored samples of one series. */
  highestOf?: { typeId: number; spans: readonly { startMs: number; endMs: number }[] };
  qualifier?: string;
  atMs: number;
  components?: Record<string, { value: number | null; qualifier: string | null }>;
}

/** Facts about the user. `birthDate` is `YYYY-MM-DD`. */
export interface PersonalRecord {
  kind: 'personal';
  birthDate?: string;
  gender?: Gender;
}

/** Records that the vendor deleted: sessions and scores by external id, samples by type and interval. */
export type DeletionRecord = { kind: 'deletion'; provider: ProviderId } & (
  | { of: 'session' | 'health_score'; externalId: string }
  | { of: 'samples'; typeId: number; startMs: number; endMs: number }
  | { of: 'pushed'; items: readonly PushedDeletion[] }
);

/** Types of pushed items that a deletion applies to; undefined for all types. */
export type PushedKinds = { typeIds: readonly number[] } | 'sleep' | 'workouts';

/**
 * A deletion that a phone reports: an item by its id, or a source's data from `startMs` to `endMs` (exclusive). It
 * applies only to rows that a push of the same provider wrote.
 */
export type PushedDeletion =
  | { id: string; kinds?: PushedKinds }
  | { kinds: PushedKinds; startMs: number; endMs: number; source: SourceIdentity };

/**
 * Replaces a window with the vendor's response: deletes stored rows of the window that are missing from the batch.
 * Applies to sources of `provider` and the connection's vendor account whose writer is `writer` or starts with `writer`
 * and a slash. Keeps data that a phone pushed for the provider and data of other accounts.
 */
export type ReplacementRecord = {
  kind: 'replacement';
  provider: ProviderId;
  writer: string;
  startMs: number;
  /** Exclusive. */
  endMs: number;
} & (
  | {
      of: 'samples';
      typeIds: readonly number[];
      /** Restricts the replacement to samples of these types; undefined for all types. */
      sampleKinds?: readonly SampleKind[];
      /**
       * Restricts the replacement to samples with one of these ids; undefined for all samples, with or without an id.
       */
      externalIds?: readonly string[];
      /**
       * Restricts the replacement to these local days, end excluded. The window must contain the days in every time
       * zone.
       */
      localDays?: { firstDay: number; endDay: number };
    }
  /** Sessions that start in the window, matched by id if they have one, otherwise by start. */
  | { of: 'sleep_sessions' }
  | { of: 'workouts' }
  /** Nights, not naps, that overlap the window. A later version of a night may have a different id, start and end. */
  | { of: 'nights' }
  /**
   * Scores in the window whose external id has this prefix. A redelivered score without a value loses its previous
   * value.
   */
  | { of: 'health_scores'; idPrefix: string }
);

/** Unified record that every adapter yields and the writer stores. */
export type HealthRecord =
  | SampleRecord
  | SleepStageRecord
  | SleepSessionRecord
  | WorkoutRecord
  | MenstrualCycleRecord
  | HealthScoreRecord
  | PersonalRecord
  | DeletionRecord
  | ReplacementRecord;
