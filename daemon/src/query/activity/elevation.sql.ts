/** What one source climbed in the workouts of one day. */
export interface ElevationRow {
  local_date: string;
  source_id: number;
  elevation_meters: number;
}

/** SQL for the climbing of user $1 on the given days, by index on (user_key, local_date). */
export function workoutElevation(firstDate: string, lastDate: string): string {
  return `
    select w.local_date, w.source_id, sum(w.elevation_gain_meters) as elevation_meters
    from workout w
    where w.user_key = $1 and w.local_date between ${firstDate} and ${lastDate} and w.elevation_gain_meters is not null
    group by w.local_date, w.source_id`;
}
