import { seriesTypeByCode } from '@healthd/model';

/** Series whose amounts can be spread over time and added up, so that sources that overlap can be merged. */
export const MERGED_TYPE_IDS: readonly number[] = (
  ['steps', 'distance_walking_running', 'flights_climbed', 'energy', 'basal_energy'] as const
).map((code) => seriesTypeByCode(code).id);
