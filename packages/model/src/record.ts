import type { DeviceType } from './device-types.js';
import type { Gender } from './genders.js';
import type { ProviderId } from './providers.js';
import type { SleepStage } from './sleep.js';
import type { WorkoutType } from './workouts.js';

/**
 * Who measured something. Two records belong to one source when user, `provider`, `account`, `deviceModel`, `writer`
 * and `deviceId` agree; the other members describe the source and follow what was seen last.
 */
export interface SourceIdentity {
  /** Integration the data arrived through. */
  provider: ProviderId;
  /**
   * Vendor account that a cloud's data belongs to. Adapters leave it out: the service adds the account of the connection.
   * Pushes and files have none.
   */
  account?: string;
  /** Raw hardware code or model text, e.g. `Watch6,2`. */
  deviceModel?: string;
  /** The application that wrote the value into the vendor's store, e.g. `Zepp Life`. */
  writer?: string;
  /** The vendor's own id of one physical device, where two of the same model must be distinguished. */
  deviceId?: string;
  deviceType?: DeviceType;
  softwareVersion?: string;
  /** The writer's name as a person knows it; for display only. */
  originalSourceName?: string;
}

/**
 * What one sample stands for, and part of its identity, so that a day's total and the first reading of that day never
 * collide: `sample` an ordinary reading, `daily_total` the provider's own total of a local day, `aggregate` one value
 * for a whole night or workout.
 */
export type SampleKind = 'sample' | 'daily_total' | 'aggregate';

/** The stored numbers of {@link SampleKind}. */
export const SAMPLE_KIND_CODE = { sample: 0, daily_total: 1, aggregate: 2 } as const satisfies Record<
  SampleKind,
  number
>;

/** Members shared by everything that happened at a time. Instants are milliseconds since 1970-01-01T00:00:00Z. */
interface Placed {
  source: SourceIdentity;
  /** Minutes by which the wall clock was ahead of UTC; undefined when the vendor does not say. */
  offsetMinutes?: number;
}

/** One value of one series, already in the unit of that series. */
export interface SampleRecord extends Placed {
  kind: 'sample';
  /**
   * The vendor's id of the item that the sample is, or is a part of. A sample of the same id, series and start is a
   * newer version; samples without an id are distinguished by what they say.
   */
  externalId?: string;
  /** Id of the series type, see `seriesTypeById`. */
  typeId: number;
  startMs: number;
  /** Length of the interval the value covers; undefined for a reading at an instant. */
  durationMs?: number;
  value: number;
  /** Least and greatest of the readings that `value` is the mean of, where the vendor reports them. */
  extremes?: Extremes;
  sampleKind: SampleKind;
}

/** Least and greatest of some readings, in the unit of their series. */
export interface Extremes {
  minimum: number;
  maximum: number;
}

/** One stage interval as a device wrote it; `store/facts/sleep/` assembles sessions from these. */
export interface SleepStageRecord extends Placed {
  kind: 'sleep_stage';
  stage: SleepStage;
  startMs: number;
  endMs: number;
  /** The vendor's id of the session that the stage belongs to; without one sessions are distinguished by pauses. */
  sessionId?: string;
  /** Id under which a phone pushed the stage, and reports its deletion. */
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
  /** A version without figures of sleep. It is left out if its source has a stored session with figures at that time. */
  isInterim?: true;
}

/** A pause, lap, segment or marker inside a workout. */
export interface WorkoutEvent {
  type: 'pause' | 'resume' | 'motion_pause' | 'motion_resume' | 'lap' | 'segment' | 'marker';
  startMs: number;
  durationSeconds?: number;
  /** What the vendor calls the segment, e.g. a kind of exercise. */
  label?: string;
  /** Repetitions of an exercise. */
  repetitions?: number;
  distanceMeters?: number;
}

/** A workout. SI units; energy in kcal; speeds in m/s; heart rate in bpm; cadence in rpm. */
export interface WorkoutRecord extends Placed {
  kind: 'workout';
  externalId?: string;
  /** Id under which a phone pushed the workout, and reports its deletion. */
  pushedId?: string;
  /** The id is that of one workout among all sources of the writer, whichever device is named; undefined: of the source. */
  idScope?: 'writer';
  /** Tells of the creation of the workout: one that is stored already may be newer, and stays as it is. */
  isCreation?: true;
  /** Gives a stored workout what it does not have, and changes nothing else. Is left out if no such workout is stored. */
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
  /** Active and basal energy together, when the vendor gives only that or both. */
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
  /** Further vendor facts worth keeping, e.g. weather or lap length, with the unit in the key. */
  metadata?: Record<string, string | number | boolean>;
}

/** One menstrual cycle. Days are counted from 1; dates of the window are day numbers in the cycle. */
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
  /**
   * The value is the highest of a series of the source in a time: of `value` and of the samples that are stored of it by
   * then.
   */
  highestOf?: { typeId: number; spans: readonly { startMs: number; endMs: number }[] };
  qualifier?: string;
  atMs: number;
  components?: Record<string, { value: number | null; qualifier: string | null }>;
}

/** Facts about the person. `birthDate` is `YYYY-MM-DD`. */
export interface PersonalRecord {
  kind: 'personal';
  birthDate?: string;
  gender?: Gender;
}

/** What the vendor says is gone: sessions and scores by external id, samples by type and interval. */
export type DeletionRecord = { kind: 'deletion'; provider: ProviderId } & (
  | { of: 'session' | 'health_score'; externalId: string }
  | { of: 'samples'; typeId: number; startMs: number; endMs: number }
  | { of: 'pushed'; items: readonly PushedDeletion[] }
);

/** Which kinds of pushed items a deletion means; undefined: all of them. */
export type PushedKinds = { typeIds: readonly number[] } | 'sleep' | 'workouts';

/**
 * What a phone reports as deleted: an item by its id, or what a source gave from `startMs` to `endMs` (exclusive). It
 * reaches only rows that a push of the same provider wrote.
 */
export type PushedDeletion =
  | { id: string; kinds?: PushedKinds }
  | { kinds: PushedKinds; startMs: number; endMs: number; source: SourceIdentity };

/**
 * The vendor's answer for a window is all there is: what is stored of it and not in the same batch is gone. It concerns
 * sources of `provider` and of the connection's vendor account whose writer is `writer` or begins with `writer` and a
 * slash. What a phone pushed of the same provider stays, and so does another account's data.
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
      /** Only samples of these kinds; undefined: of all kinds. */
      sampleKinds?: readonly SampleKind[];
      /** Only samples with one of these ids; undefined: with any id and without one. */
      externalIds?: readonly string[];
      /** Only what counts to these local days, the end excluded; the window must hold them on every clock. */
      localDays?: { firstDay: number; endDay: number };
    }
  /** Sessions that start in the window; with an id they are distinguished by it, else by their start. */
  | { of: 'sleep_sessions' }
  | { of: 'workouts' }
  /** Nights, not naps, that overlap the window: a later version of a night may have another id and other ends. */
  | { of: 'nights' }
  /** Scores of the window whose external id begins so; one that comes back without a value loses the one it had. */
  | { of: 'health_scores'; idPrefix: string }
);

/** The unified record: what every adapter yields and the writer stores. */
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
