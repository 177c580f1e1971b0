/** One summary as the vendor pushes it, without its user. */
export type GarminItem = Record<string, unknown>;

/** Names of the lists in bodies. */
export const SUMMARY_KEYS = [
  'dailies',
  'epochs',
  'sleeps',
  'bodyComps',
  'stressDetails',
  'hrv',
  'userMetrics',
  'allDayRespiration',
  'pulseox',
  'bloodPressures',
  'skinTemp',
  'healthSnapshot',
  'moveIQActivities',
  'activities',
  'activityDetails',
  'manuallyUpdatedActivities',
  'mct',
] as const;
export type SummaryKey = (typeof SUMMARY_KEYS)[number];

/** Summaries by list name. */
export type GarminItems = Partial<Record<SummaryKey, GarminItem[]>>;

/** Last path segments of exports, if the segment differs from the list name. */
const SEGMENTS: Partial<Record<SummaryKey, string>> = {
  allDayRespiration: 'respiration',
  pulseox: 'pulseOx',
  moveIQActivities: 'moveiq',
};

/** Types without historical exports. */
const NOT_EXPORTED: readonly SummaryKey[] = ['manuallyUpdatedActivities'];

/** Returns the list name for a path segment; undefined if the segment is unknown or its type is not exported. */
export function keyOfSegment(segment: string): SummaryKey | undefined {
  return SUMMARY_KEYS.find((key) => (SEGMENTS[key] ?? key) === segment && !NOT_EXPORTED.includes(key));
}

export const PERMISSIONS = ['ACTIVITY_EXPORT', 'HEALTH_EXPORT', 'HISTORICAL_DATA_EXPORT', 'MCT_EXPORT'] as const;
export type GarminPermission = (typeof PERMISSIONS)[number];

/** Returns the permission that a summary type requires. */
export function permissionOf(key: SummaryKey): GarminPermission {
  if (key === 'mct') return 'MCT_EXPORT';
  return /activit/i.test(key) ? 'ACTIVITY_EXPORT' : 'HEALTH_EXPORT';
}

/** Returns a summary's time in seconds, or the start of its date in UTC if it has only a date. NaN without both. */
export function secondsOf(item: GarminItem): number {
  const summary = (item.summary ?? {}) as GarminItem;
  const start = item.startTimeInSeconds ?? summary.startTimeInSeconds ?? item.measurementTimeInSeconds;
  if (typeof start === 'number') return start;
  const date = item.calendarDate ?? item.periodStartDate;
  return typeof date === 'string' ? Date.parse(`${date}T00:00:00Z`) / 1000 : Number.NaN;
}
