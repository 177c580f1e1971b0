import type { WorkoutType } from '@healthd/model';
import { sportNames } from '../../rest/index.js';

/** The vendor's sports. */
const byName = sportNames({
  running: 'Run, VirtualRun',
  trail_running: 'TrailRun',
  walking: 'Walk',
  hiking: 'Hike',
  cycling: 'Ride, GravelRide, Velomobile, Handcycle',
  mountain_biking: 'MountainBikeRide',
  e_biking: 'EBikeRide, EMountainBikeRide',
  indoor_cycling: 'VirtualRide',
  swimming: 'Swim',
  alpine_skiing: 'AlpineSki',
  backcountry_skiing: 'BackcountrySki',
  cross_country_skiing: 'NordicSki, RollerSki',
  snowboarding: 'Snowboard',
  snowshoeing: 'Snowshoe',
  ice_skating: 'IceSkate',
  rowing: 'Rowing',
  rowing_machine: 'VirtualRow',
  kayaking: 'Kayaking',
  canoeing: 'Canoeing',
  stand_up_paddleboarding: 'StandUpPaddling',
  surfing: 'Surfing',
  kitesurfing: 'Kitesurf',
  windsurfing: 'Windsurf',
  sailing: 'Sail',
  strength_training: 'WeightTraining',
  yoga: 'Yoga',
  pilates: 'Pilates',
  cardio_training: 'Crossfit, HighIntensityIntervalTraining',
  elliptical: 'Elliptical',
  stair_climbing: 'StairStepper',
  tennis: 'Tennis',
  pickleball: 'Pickleball',
  racquetball: 'Racquetball',
  squash: 'Squash',
  badminton: 'Badminton',
  table_tennis: 'TableTennis',
  padel: 'Padel',
  soccer: 'Soccer',
  basketball: 'Basketball',
  volleyball: 'Volleyball',
  cricket: 'Cricket',
  dance: 'Dance',
  rock_climbing: 'RockClimbing',
  golf: 'Golf',
  skateboarding: 'Skateboard',
  inline_skating: 'InlineSkate',
  wheelchair: 'Wheelchair',
  generic: 'Workout',
});

const ON_TRAINER: Partial<Record<WorkoutType, WorkoutType>> = { cycling: 'indoor_cycling', running: 'treadmill' };

/** Returns the unified type of an activity by its sport, then by the older and coarser type, otherwise `other`. */
export function workoutType(sport: string | undefined, type: string | undefined, onTrainer: boolean): WorkoutType {
  const found = [sport, type].flatMap((name) => (name === undefined ? [] : (byName(name) ?? [])))[0] ?? 'other';
  return (onTrainer && ON_TRAINER[found]) || found;
}
