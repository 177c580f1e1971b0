import type { StravaActivity } from '@healthd/simulators';
import { AWAY, HOME, iso, utc } from './days.js';
import { REPORTED_RUN, REPORTED_SWIM } from './truth.js';

/** Returns Strava's activities: a swim, and the run that Garmin forwarded. */
export function stravaActivities(): StravaActivity[] {
  const { start, seconds: length, meters, kcal, ascent, bpm } = REPORTED_RUN.strava;
  return [
    {
      id: 14_500_000_001,
      name: 'Evening run',
      sport_type: 'Run',
      start_date: iso(utc(1, start)),
      utc_offset: HOME.offsetMinutes * 60,
      elapsed_time: length,
      moving_time: length,
      distance: meters,
      total_elevation_gain: ascent,
      average_heartrate: bpm,
      calories: kcal,
      device_name: 'Garmin Forerunner 265',
    },
    {
      id: 14_500_000_002,
      name: 'Hotel pool',
      sport_type: 'Swim',
      start_date: iso(utc(REPORTED_SWIM.day, REPORTED_SWIM.start)),
      utc_offset: AWAY.offsetMinutes * 60,
      elapsed_time: REPORTED_SWIM.seconds,
      moving_time: REPORTED_SWIM.seconds,
      distance: REPORTED_SWIM.meters,
    },
  ];
}
