import { SLEEP_FIELDS, type WorkoutField } from '../../provider.js';
import type { Gives } from '../../rest/index.js';
import { PERMISSIONS } from '../oauth.js';
import { readActivity, readActivityDetails, readActivityFile, readEditedActivity } from './activity.js';
import { ACTIVITY_FILES } from './activity-file.js';
import { SECONDS_SERIES } from './activity-seconds.js';
import { CYCLE_FIELDS, readCycle } from './cycle.js';
import { DAILY_GIVES, readDaily } from './daily.js';
import { EPOCH_GIVES, readEpoch } from './epoch.js';
import {
  BODY_SERIES,
  METRICS_SERIES,
  PRESSURE_SERIES,
  readBloodPressure,
  readBody,
  readPulseOx,
  readRespiration,
  readSkinTemperature,
  readSnapshot,
  readStress,
  readUserMetrics,
  SNAPSHOT_SERIES,
} from './health.js';
import type { SummaryReader } from './reading.js';
import { readSleep } from './sleep.js';
import { readVariability } from './variability.js';

/** A summary type: its name in bodies, its export path, its coverage and its reader. */
interface SummaryType {
  key: string;
  /** Last path segment of its export; undefined if it cannot be exported. */
  segment?: string;
  permission: string;
  gives: Gives;
  read: SummaryReader;
}

const { health, activity, cycle } = PERMISSIONS;

/** Fields of a workout that its summary has. */
const SUMMARY_FIELDS: readonly WorkoutField[] = [
  'average_cadence',
  'average_speed',
  'distance',
  'energy_burned',
  'heart_rate_avg',
  'heart_rate_max',
  'max_speed',
  'steps_count',
  'total_elevation_gain',
];
/** Workout fields that are derived from its seconds. */
const SECONDS_FIELDS: readonly WorkoutField[] = [
  'average_watts',
  'elev_high',
  'elev_low',
  'heart_rate_min',
  'max_watts',
  'moving_time_seconds',
];
/** Fields of a workout that its file completes. */
const FILE_FIELDS: readonly WorkoutField[] = [
  'elev_high',
  'elev_low',
  'heart_rate_avg',
  'heart_rate_max',
  'heart_rate_min',
  'total_elevation_gain',
];

/** All supported summary types, in export order. */
export const SUMMARY_TYPES: readonly SummaryType[] = [
  {
    key: 'sleeps',
    segment: 'sleeps',
    permission: health,
    gives: { series: ['oxygen_saturation', 'respiratory_rate'], sleepFields: SLEEP_FIELDS, scores: ['sleep'] },
    read: readSleep,
  },
  { key: 'dailies', segment: 'dailies', permission: health, gives: DAILY_GIVES, read: readDaily },
  {
    key: 'activities',
    segment: 'activities',
    permission: activity,
    gives: { workoutFields: SUMMARY_FIELDS },
    read: readActivity,
  },
  {
    key: 'activityDetails',
    segment: 'activityDetails',
    permission: activity,
    gives: { workoutFields: [...SUMMARY_FIELDS, ...SECONDS_FIELDS], series: SECONDS_SERIES },
    read: readActivityDetails,
  },
  {
    key: 'hrv',
    segment: 'hrv',
    permission: health,
    gives: { series: ['heart_rate_variability_rmssd'] },
    read: readVariability,
  },
  { key: 'epochs', segment: 'epochs', permission: health, gives: EPOCH_GIVES, read: readEpoch },
  { key: 'bodyComps', segment: 'bodyComps', permission: health, gives: { series: BODY_SERIES }, read: readBody },
  {
    key: 'stressDetails',
    segment: 'stressDetails',
    permission: health,
    gives: { series: ['garmin_stress_level', 'garmin_body_battery'], scores: ['body_battery'] },
    read: readStress,
  },
  {
    key: 'userMetrics',
    segment: 'userMetrics',
    permission: health,
    gives: { series: METRICS_SERIES },
    read: readUserMetrics,
  },
  {
    key: 'allDayRespiration',
    segment: 'respiration',
    permission: health,
    gives: { series: ['respiratory_rate'] },
    read: readRespiration,
  },
  {
    key: 'pulseox',
    segment: 'pulseOx',
    permission: health,
    gives: { series: ['oxygen_saturation'] },
    read: readPulseOx,
  },
  {
    key: 'bloodPressures',
    segment: 'bloodPressures',
    permission: health,
    gives: { series: PRESSURE_SERIES },
    read: readBloodPressure,
  },
  {
    key: 'skinTemp',
    segment: 'skinTemp',
    permission: health,
    gives: { series: ['skin_temperature_deviation'] },
    read: readSkinTemperature,
  },
  {
    key: 'healthSnapshot',
    segment: 'healthSnapshot',
    permission: health,
    gives: { series: SNAPSHOT_SERIES },
    read: readSnapshot,
  },
  { key: 'mct', segment: 'mct', permission: cycle, gives: { menstrualCycleFields: CYCLE_FIELDS }, read: readCycle },
  {
    key: 'manuallyUpdatedActivities',
    permission: activity,
    gives: { workoutFields: SUMMARY_FIELDS },
    read: readEditedActivity,
  },
  {
    key: ACTIVITY_FILES,
    permission: activity,
    gives: { workoutFields: FILE_FIELDS, series: SECONDS_SERIES },
    read: readActivityFile,
  },
  { key: 'manualActivities', permission: activity, gives: { workoutFields: SUMMARY_FIELDS }, read: readEditedActivity },
];

const BY_KEY = new Map(SUMMARY_TYPES.map((type) => [type.key, type]));

/** Returns the type with this name in bodies. */
export function summaryTypeOf(key: string): SummaryType | undefined {
  return BY_KEY.get(key);
}
