const NIGHT_MS = Date.UTC(2026, 2, 9, 23);
const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;

/** A file with many valid colliding items. */
export interface FileCollision {
  name: string;
  /** @param index position among the items, from 0 */
  item(index: number): string;
}

const time = (ms: number) => `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} +0000`;
const span = (startMs: number, endMs: number) =>
  `creationDate="${time(endMs)}" startDate="${time(startMs)}" endDate="${time(endMs)}"`;
const record = (type: string, times: string, value: string | number, source = 'Watch', unit = 'count/min') =>
  `<Record type="${type}" sourceName="${source}" unit="${unit}" ${times} value="${value}"/>\n`;
const beat = (index: number, source?: string, atMs = NIGHT_MS) =>
  record('HKQuantityTypeIdentifierHeartRate', span(atMs, atMs), 40 + (index % 100_000) / 1000, source);
const steps = (index: number, startMs: number, endMs: number) =>
  record('HKQuantityTypeIdentifierStepCount', span(startMs, endMs), 1 + (index % 30_000), 'Watch', 'count');
const STAGES = ['AsleepCore', 'AsleepDeep', 'AsleepREM', 'Awake'];
const stage = (index: number, startMs: number, endMs: number) =>
  `<Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="Watch" ${span(startMs, endMs)} value="HKCategoryValueSleepAnalysis${STAGES[index % 4]}"/>\n`;
const workout = (startMs: number, endMs: number, inner = '') =>
  `<Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="10" durationUnit="min" sourceName="Watch" ${span(startMs, endMs)}>${inner}</Workout>\n`;

/** Items of Apple Health exports that share an instant, a night, a workout or a second. */
export const FILE_COLLISIONS: readonly FileCollision[] = [
  { name: 'readings of one instant', item: (index) => beat(index) },
  { name: 'readings of many sources', item: (index) => beat(index, `Watch ${index}`) },
  {
    name: 'nested step intervals',
    item: (index) => steps(index, NIGHT_MS + index * SECOND_MS, NIGHT_MS + (400_000 - index) * SECOND_MS),
  },
  {
    name: 'stages of one night',
    item: (index) =>
      stage(index, NIGHT_MS + (index % 20_000) * SECOND_MS, NIGHT_MS + (20_000 + (index % 9_000)) * SECOND_MS),
  },
  {
    name: 'workouts of one second',
    item: (index) => workout(NIGHT_MS, NIGHT_MS + (600 + index) * SECOND_MS),
  },
  {
    name: 'nested workouts',
    item: (index) => workout(NIGHT_MS + index * SECOND_MS, NIGHT_MS + (400_000 - index) * SECOND_MS),
  },
  {
    name: 'workouts with readings between them',
    item: (index) =>
      index % 2 === 0
        ? workout(NIGHT_MS + index * SECOND_MS, NIGHT_MS + (400_000 - index) * SECOND_MS)
        : beat(index, undefined, NIGHT_MS + index * SECOND_MS),
  },
  {
    name: 'nights over many years',
    item: (index) => stage(0, NIGHT_MS - index * 12 * HOUR_MS, NIGHT_MS - (index * 12 - 7) * HOUR_MS),
  },
];

/** Returns an export with this many items. @param from position of the first item */
export function fileOf({ item }: FileCollision, count: number, from = 0): string {
  const items = Array.from({ length: count }, (_, index) => item(from + index)).join('');
  const exported = `<ExportDate value="${time(NIGHT_MS + 30 * 24 * HOUR_MS)}"/>`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<HealthData locale="en_PL">\n${exported}\n${items}</HealthData>\n`;
}

/** Returns an export of one workout with this many events. */
export function workoutOfEvents(count: number): string {
  const event = `<WorkoutEvent type="HKWorkoutEventTypeSegment" date="${time(NIGHT_MS)}" duration="1" durationUnit="min"/>`;
  return fileOf({ name: '', item: () => workout(NIGHT_MS, NIGHT_MS + 600 * SECOND_MS, event.repeat(count)) }, 1);
}
