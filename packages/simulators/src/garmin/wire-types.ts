/** One summary as the vendor pushes it, without whose it is. */
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

/** Summaries by the list that they come in. */
export type GarminItems = Partial<Record<SummaryKey, GarminItem[]>>;

/** The last part of the address of an export, where it is not the name of the list. */
const SEGMENTS: Partial<Record<SummaryKey, string>> = {
  allDayRespiration: 'respiration',
  pulseox: 'pulseOx',
  moveIQActivities: 'moveiq',
};

/** Of these the past cannot be requested. */
const NOT_EXPORTED: readonly SummaryKey[] = ['manuallyUpdatedActivities'];

/** The list that an address names; undefined for one that no one knows. */
export function keyOfSegment(segment: string): SummaryKey | undefined {
  return SUMMARY_KEYS.find((key) => (SEGMENTS[key] ?? key) === segment && !NOT_EXPORTED.includes(key));
}

export const PERMISSIONS = ['ACTIVITY_EXPORT', 'HEALTH_EXPORT', 'HISTORICAL_DATA_EXPORT', 'MCT_EXPORT'] as const;
export type GarminPermission = (typeof PERMISSIONS)[number];

/** What it takes to get a kind of summary. */
export function permissionOf(key: SummaryKey): GarminPermission {
  if (key === 'mct') return 'MCT_EXPORT';
  return /activit/i.test(key) ? 'ACTIVITY_EXPORT' : 'HEALTH_EXPORT';
}

/** When a summary happened, in seconds; NaN where it has only a date, which counts from its beginning. */
export function secondsOf(item: GarminItem): number {
  const summary = (item.summary ?? {}) as GarminItem;
  const start = item.startTimeInSeconds ?? summary.startTimeInSeconds ?? item.measurementTimeInSeconds;
  if (typeof start === 'number') return start;
  const date = item.calendarDate ?? item.periodStartDate;
  return typeof date === 'string' ? Date.parse(`${date}T00:00:00Z`) / 1000 : Number.NaN;
}
