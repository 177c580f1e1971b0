import { PERMISSIONS } from '../permissions.js';
import { readActivity, readActivityDetails, readActivityFile, readEditedActivity } from './activity.js';
import { ACTIVITY_FILES } from './activity-file.js';
import { readCycle } from './cycle.js';
import { readDaily } from './daily.js';
import { readEpoch } from './epoch.js';
import {
  readBloodPressure,
  readBody,
  readPulseOx,
  readRespiration,
  readSkinTemperature,
  readSnapshot,
  readStress,
  readUserMetrics,
} from './health.js';
import type { SummaryReader } from './reading.js';
import { readSleep } from './sleep.js';
import { readVariability } from './variability.js';

/** A kind of summary: how bodies name it, how the past of it is requested, what it takes and how it is read. */
interface SummaryType {
  key: string;
  /** The last part of the address of its export; undefined where the past of it cannot be requested. */
  segment?: string;
  permission: string;
  read: SummaryReader;
}

const { health, activity, cycle } = PERMISSIONS;

/** All that is read, in the order in which the past of it is requested. */
export const SUMMARY_TYPES: readonly SummaryType[] = [
  { key: 'sleeps', segment: 'sleeps', permission: health, read: readSleep },
  { key: 'dailies', segment: 'dailies', permission: health, read: readDaily },
  { key: 'activities', segment: 'activities', permission: activity, read: readActivity },
  { key: 'activityDetails', segment: 'activityDetails', permission: activity, read: readActivityDetails },
  { key: 'hrv', segment: 'hrv', permission: health, read: readVariability },
  { key: 'epochs', segment: 'epochs', permission: health, read: readEpoch },
  { key: 'bodyComps', segment: 'bodyComps', permission: health, read: readBody },
  { key: 'stressDetails', segment: 'stressDetails', permission: health, read: readStress },
  { key: 'userMetrics', segment: 'userMetrics', permission: health, read: readUserMetrics },
  { key: 'allDayRespiration', segment: 'respiration', permission: health, read: readRespiration },
  { key: 'pulseox', segment: 'pulseOx', permission: health, read: readPulseOx },
  { key: 'bloodPressures', segment: 'bloodPressures', permission: health, read: readBloodPressure },
  { key: 'skinTemp', segment: 'skinTemp', permission: health, read: readSkinTemperature },
  { key: 'healthSnapshot', segment: 'healthSnapshot', permission: health, read: readSnapshot },
  { key: 'mct', segment: 'mct', permission: cycle, read: readCycle },
  { key: 'manuallyUpdatedActivities', permission: activity, read: readEditedActivity },
  { key: ACTIVITY_FILES, permission: activity, read: readActivityFile },
  { key: 'manualActivities', permission: activity, read: readEditedActivity },
];

const BY_KEY = new Map(SUMMARY_TYPES.map((type) => [type.key, type]));

/** The kind that a body names so. */
export function summaryTypeOf(key: string): SummaryType | undefined {
  return BY_KEY.get(key);
}
