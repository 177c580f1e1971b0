import { MS_PER_HOUR, SECONDS_PER_HOUR } from '@healthd/model';

/** Returns an export with these items. @param exportedAt export date; undefined for an export without an export date */
export function modesExport(items: readonly string[], exportedAt?: string): string {
  const date = exportedAt === undefined ? '' : ` <ExportDate value="${appleTime(Date.parse(exportedAt))}"/>\n`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<HealthData locale="en_PL">\n${date}${items.join('')}</HealthData>\n`;
}

interface RecordText {
  type?: string;
  unit?: string;
  source?: string;
  seconds?: number;
  value?: number | string;
}

/** Returns one Record element, by default a phone's steps in one minute. */
export function recordAt(
  start: string,
  {
    type = 'HKQuantityTypeIdentifierStepCount',
    unit = 'count',
    source = 'Phone',
    seconds = 60,
    value = 10,
  }: RecordText = {},
): string {
  const unitText = unit === '' ? '' : ` unit="${unit}"`;
  return ` <Record type="${type}" sourceName="${source}"${unitText} ${times(start, seconds)} value="${value}"/>\n`;
}

export function energyAt(start: string, seconds: number, kcal: number): string {
  return recordAt(start, { type: 'HKQuantityTypeIdentifierActiveEnergyBurned', unit: 'kcal', seconds, value: kcal });
}

export function asleepAt(start: string, hours: number): string {
  const value = 'HKCategoryValueSleepAnalysisAsleepCore';
  return recordAt(start, {
    type: 'HKCategoryTypeIdentifierSleepAnalysis',
    unit: '',
    seconds: hours * SECONDS_PER_HOUR,
    value,
  });
}

export function runAt(start: string, minutes: number): string {
  const kind = 'workoutActivityType="HKWorkoutActivityTypeRunning"';
  return ` <Workout ${kind} duration="${minutes}" durationUnit="min" sourceName="Phone" ${times(start, minutes * 60)}/>\n`;
}

function times(start: string, seconds: number): string {
  const from = Date.parse(start);
  const to = appleTime(from + seconds * 1000);
  return `creationDate="${to}" startDate="${appleTime(from)}" endDate="${to}"`;
}

function appleTime(ms: number): string {
  return `${new Date(ms + MS_PER_HOUR).toISOString().slice(0, 19).replace('T', ' ')} +0100`;
}
