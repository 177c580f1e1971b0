import { formatOffset, MS_PER_MINUTE } from '@healthd/model';
import { type Life, type LivedSeries, type LivedStage, offsetIn } from './life.js';

const DEVICE =
  '&lt;&lt;HKDevice: 0x281&gt;, name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch7,3, software:11.1&gt;';
const STAGES: Readonly<Record<LivedStage, string>> = {
  light: 'AsleepCore',
  deep: 'AsleepDeep',
  rem: 'AsleepREM',
  awake: 'Awake',
};

/** The vendor's name of a series in files and pushes. */
export const QUANTITIES: Readonly<Record<LivedSeries, { type: string; unit: string }>> = {
  steps: { type: 'StepCount', unit: 'count' },
  heart_rate: { type: 'HeartRate', unit: 'count/min' },
  energy: { type: 'ActiveEnergyBurned', unit: 'kcal' },
  distance_walking_running: { type: 'DistanceWalkingRunning', unit: 'm' },
  hydration: { type: 'DietaryWater', unit: 'mL' },
};

/** Attributes that identify the watch. */
const BY_WATCH = `sourceName="Anna’s Apple Watch" sourceVersion="11.1" device="${DEVICE}"`;
/** Like {@link BY_WATCH}, for an app without a device. */
export const BY_APP = 'sourceName="Strong" sourceVersion="5.2.1"';

/**
 * Returns some days of a life as the phone exports them in the second after the last item. @param by attributes of the
 * source
 */
export function asExport(days: Life['days'], by = BY_WATCH): string {
  const ends = days.flatMap(({ readings, workouts, sleeps }) =>
    [...readings, ...workouts, ...sleeps.flatMap(({ stages }) => stages)].map(({ endMs }) => endMs),
  );
  const written = `<ExportDate value="${clockAt(days.at(-1)?.timeZone ?? 'UTC', Math.max(...ends) + 1000)}"/>`;
  const lines = [written, ...days.map((day) => dayOf(day, by))];
  return `<?xml version="1.0" encoding="UTF-8"?>\n<HealthData locale="en_PL">\n${lines.join('\n')}\n</HealthData>\n`;
}

function clockAt(timeZone: string, ms: number): string {
  const offset = offsetIn(timeZone, ms);
  const clock = new Date(ms + offset * MS_PER_MINUTE).toISOString().slice(0, 19).replace('T', ' ');
  return `${clock} ${formatOffset(offset).replace(':', '')}`;
}

function dayOf({ timeZone, sleeps: slept, workouts: done, readings }: Life['days'][number], by: string): string {
  const at = (ms: number) => clockAt(timeZone, ms);
  const attributes = (startMs: number, endMs: number) =>
    `${by} creationDate="${at(endMs)}" ` + `startDate="${at(startMs)}" endDate="${at(endMs)}"`;
  const sleeps = slept
    .flatMap(({ stages }) => stages)
    .map(
      ({ stage, startMs, endMs }) =>
        `<Record type="HKCategoryTypeIdentifierSleepAnalysis" ${attributes(startMs, endMs)} value="HKCategoryValueSleepAnalysis${STAGES[stage]}">` +
        `<MetadataEntry key="HKTimeZone" value="${timeZone}"/></Record>`,
    );
  const measured = readings.map(({ series, startMs, endMs, value }) => {
    const { type, unit } = QUANTITIES[series];
    return `<Record type="HKQuantityTypeIdentifier${type}" unit="${unit}" ${attributes(startMs, endMs)} value="${value}"/>`;
  });
  const workouts = done.map(
    ({ type, startMs, endMs, activeKcal }) =>
      `<Workout workoutActivityType="HKWorkoutActivityType${type === 'running' ? 'Running' : 'Yoga'}" duration="${(endMs - startMs) / MS_PER_MINUTE}" ` +
      `durationUnit="min" ${attributes(startMs, endMs)}><MetadataEntry key="HKTimeZone" value="${timeZone}"/>` +
      `<WorkoutStatistics type="HKQuantityTypeIdentifierActiveEnergyBurned" startDate="${at(startMs)}" endDate="${at(endMs)}" sum="${activeKcal}" unit="kcal"/></Workout>`,
  );
  return [...measured, ...sleeps, ...workouts].join('\n');
}
