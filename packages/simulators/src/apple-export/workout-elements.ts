import { metadataLines, printed, sourceAttributes } from './record-lines.js';
import type { DayWriter } from './series-records.js';
import { rounded, type WorkoutPlan } from './workout-plan.js';

const QUANTITY = 'HKQuantityTypeIdentifier';

/** Workouts with events, statistics and metadata; always from the watch. */
export const writeWorkouts: DayWriter = ({ plan, lines }) => {
  const { calendar, truth } = lines;
  for (const workout of plan.workouts) {
    const rates = workout.heartRates.map((rate) => rate.bpm);
    const average = printed(rates.reduce((sum, bpm) => sum + bpm, 0) / rates.length, 4);
    const [low, high] = [Math.min(...rates), Math.max(...rates)];
    const dates = `startDate="${calendar.text(workout.startMs)}" endDate="${calendar.text(workout.endMs)}"`;
    const statistics = (type: string, figures: string, unit: string) =>
      `  <WorkoutStatistics type="${QUANTITY}${type}" ${dates} ${figures} unit="${unit}"/>\n`;
    lines.raw(
      ` <Workout workoutActivityType="HKWorkoutActivityType${workout.activity}" duration="${workout.activeMinutes}" ` +
        `durationUnit="min" ${sourceAttributes('watch')} creationDate="${calendar.text(workout.endMs + 9000)}" ${dates}>\n` +
        metadataLines(metadataOf(workout, truth.timeZone), '  ') +
        pauseEvents(workout, (ms) => calendar.text(ms)) +
        statistics('ActiveEnergyBurned', `sum="${workout.activeKcal}"`, 'kcal') +
        statistics('BasalEnergyBurned', `sum="${workout.basalKcal}"`, 'kcal') +
        (workout.distanceKm ? statistics(workout.distanceIdentifier!, `sum="${workout.distanceKm}"`, 'km') : '') +
        (workout.steps ? statistics('StepCount', `sum="${workout.steps}"`, 'count') : '') +
        statistics('HeartRate', `average="${average}" minimum="${low}" maximum="${high}"`, 'count/min') +
        ' </Workout>\n',
    );
    truth.workouts.push({
      type: workout.type,
      startMs: workout.startMs,
      endMs: workout.endMs,
      durationSeconds: workout.activeMinutes * 60,
      activeKcal: workout.activeKcal,
      basalKcal: workout.basalKcal,
      distanceMeters: workout.distanceKm === undefined ? undefined : rounded(workout.distanceKm * 1000, 1),
      elevationGainMeters: workout.elevationCm === undefined ? undefined : workout.elevationCm / 100,
      steps: workout.steps || undefined,
      heartRateMin: low,
      heartRateAvg: Number(average),
      heartRateMax: high,
    });
  }
};

/** The day's activity rings, which real files contain and the importer ignores. */
export const writeActivitySummary: DayWriter = ({ plan: { day, workouts }, lines }) => {
  const kcal = lines.truth.days[day.date]?.watch?.activeKcal ?? 0;
  const minutes = workouts.reduce((sum, workout) => sum + workout.activeMinutes, 0);
  lines.raw(
    ` <ActivitySummary dateComponents="${day.date}" activeEnergyBurned="${printed(kcal, 2)}" activeEnergyBurnedGoal="520" ` +
      `activeEnergyBurnedUnit="kcal" appleExerciseTime="${minutes}" appleExerciseTimeGoal="30" appleStandHours="10"/>\n`,
  );
};

function metadataOf(workout: WorkoutPlan, timeZone: string): [string, string][] {
  const entries: [string, string][] = [['HKTimeZone', timeZone]];
  if (workout.indoor) entries.push(['HKIndoorWorkout', '1']);
  else entries.push(['HKIndoorWorkout', '0'], ['HKWeatherTemperature', '61 degF'], ['HKWeatherHumidity', '5600 %']);
  if (workout.elevationCm !== undefined) entries.push(['HKElevationAscended', `${workout.elevationCm} cm`]);
  entries.push(['HKAverageMETs', `${printed(workout.activeKcal / workout.activeMinutes / 1.12, 2)} kcal/hr·kg`]);
  return entries;
}

function pauseEvents({ pause }: WorkoutPlan, text: (ms: number) => string): string {
  if (!pause) return '';
  return (
    `  <WorkoutEvent type="HKWorkoutEventTypePause" date="${text(pause.startMs)}"/>\n` +
    `  <WorkoutEvent type="HKWorkoutEventTypeResume" date="${text(pause.endMs)}"/>\n`
  );
}
