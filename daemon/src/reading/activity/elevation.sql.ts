import { statement } from '../../database/index.js';

/** What one source climbed in the workouts of one day. */
export interface ElevationRow {
  local_date: string;
  source_id: number;
  provider: string;
  device_type: string | null;
  elevation_meters: number;
}

/** By index on (user_key, local_date). Parameters: user, dates. */
export const workoutElevation = statement(
  'activity_elevation',
  `select w.local_date, w.source_id, s.provider, s.device_type, sum(w.elevation_gain_meters) as elevation_meters
   from workout w join data_source s on s.user_key = $1 and s.source_id = w.source_id
   where w.user_key = $1 and w.local_date = any ($2::date[]) and w.elevation_gain_meters is not null
   group by w.local_date, w.source_id, s.provider, s.device_type`,
);
