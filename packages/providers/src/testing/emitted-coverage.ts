import { SCORE_CATEGORIES, SERIES_TYPES, type SleepSessionRecord } from '@healthd/model';
import type { CloudProvider, TimeRange } from '../cloud/index.js';
import { type ProviderCoverage, SLEEP_FIELDS, type SleepField } from '../provider.js';
import { consent, type SimulatedVendor } from './consent.js';
import { read } from './read.js';
import { filledWorkoutFields } from './workout-fields.js';

const SLEEP_MEMBERS: Readonly<Record<SleepField, keyof SleepSessionRecord>> = {
  is_nap: 'isNap',
  sleep_awake_minutes: 'awakeSeconds',
  sleep_deep_minutes: 'deepSeconds',
  sleep_efficiency_score: 'efficiencyPercent',
  sleep_light_minutes: 'lightSeconds',
  sleep_rem_minutes: 'remSeconds',
  sleep_stages: 'stages',
  sleep_time_in_bed_minutes: 'inBedSeconds',
  sleep_total_duration_minutes: 'asleepSeconds',
};

/** Returns the coverage of the records that the adapter emits for all data of a simulated account. */
export async function emittedCoverage(
  cloud: CloudProvider,
  simulator: SimulatedVendor,
  account: string,
  range: TimeRange,
  energy?: 'totalCaloriesKcal',
): Promise<ProviderCoverage> {
  const { api, scopes } = await consent(cloud, simulator, account);
  const types = cloud.pull?.dataTypes ?? [];
  const reads = await Promise.all(types.map(({ id }) => read(cloud, api, scopes, id, range)));
  const series = new Set(reads.flatMap(({ samples }) => samples.map((sample) => sample.series)));
  const scores = new Set(reads.flatMap((one) => one.scores.map(({ category }) => category)));
  const nights = reads.flatMap((one) => one.nights);
  return {
    series: SERIES_TYPES.map(({ code }) => code).filter((code) => series.has(code)),
    workoutFields: filledWorkoutFields(
      reads.flatMap(({ workouts }) => workouts),
      energy,
    ),
    sleepFields: SLEEP_FIELDS.filter((field) => nights.some((night) => night[SLEEP_MEMBERS[field]] !== undefined)),
    menstrualCycleFields: [],
    healthScores: SCORE_CATEGORIES.filter((category) => scores.has(category)),
  };
}
