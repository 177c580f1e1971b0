import type { WorkoutType } from '@healthd/model';
import { lettersOf, sportNames } from '../../rest/index.js';

/** The vendor's sports and its more specific details. */
const byName = sportNames({
  running: 'RUNNING, RUNNING_ROAD',
  trail_running: 'RUNNING_TRAIL',
  treadmill: 'RUNNING_TREADMILL',
  cycling: 'CYCLING, CYCLING_ROAD',
  mountain_biking: 'CYCLING_MOUNTAIN, CYCLING_MOUNTAIN_BIKE',
  indoor_cycling: 'CYCLING_INDOOR, INDOOR_CYCLING',
  cyclocross: 'CYCLING_CYCLOCROSS',
  swimming: 'SWIMMING, AQUATICS_SWIMMING',
  pool_swimming: 'SWIMMING_POOL',
  open_water_swimming: 'SWIMMING_OPEN_WATER',
  walking: 'WALKING, WALKING_NORDIC',
  hiking: 'HIKING',
  mountaineering: 'MOUNTAINEERING',
  cross_country_skiing: 'WINTERSPORTS_CROSS_COUNTRY_SKIING',
  backcountry_skiing: 'WINTERSPORTS_BACKCOUNTRY_SKIING',
  alpine_skiing: 'WINTERSPORTS_ALPINE_SKIING, WINTERSPORTS_DOWNHILL_SKIING',
  snowboarding: 'WINTERSPORTS_SNOWBOARDING',
  snowshoeing: 'WINTERSPORTS_SNOWSHOEING',
  ice_skating: 'WINTERSPORTS_ICE_SKATING',
  strength_training: 'STRENGTH_TRAINING',
  cardio_training: 'FITNESS_CARDIO, JUMP_ROPE',
  elliptical: 'FITNESS_ELLIPTICAL',
  rowing_machine: 'FITNESS_INDOOR_ROWING',
  stair_climbing: 'FITNESS_STAIR_CLIMBING',
  rowing: 'WATERSPORTS_ROWING',
  kayaking: 'WATERSPORTS_KAYAKING',
  canoeing: 'WATERSPORTS_CANOEING',
  stand_up_paddleboarding: 'WATERSPORTS_STAND_UP_PADDLING',
  surfing: 'WATERSPORTS_SURFING',
  kitesurfing: 'WATERSPORTS_KITESURFING',
  windsurfing: 'WATERSPORTS_WINDSURFING',
  sailing: 'WATERSPORTS_SAILING',
  water_skiing: 'WATERSPORTS_WATERSKI',
  soccer: 'SOCCER, TEAMSPORTS_SOCCER',
  football: 'TEAMSPORTS_FOOTBALL',
  american_football: 'TEAMSPORTS_AMERICAN_FOOTBALL',
  basketball: 'BASKETBALL, TEAMSPORTS_BASKETBALL',
  baseball: 'TEAMSPORTS_BASEBALL',
  volleyball: 'TEAMSPORTS_VOLLEYBALL',
  handball: 'TEAMSPORTS_HANDBALL',
  rugby: 'TEAMSPORTS_RUGBY',
  hockey: 'TEAMSPORTS_HOCKEY',
  floorball: 'TEAMSPORTS_FLOORBALL',
  tennis: 'TENNIS, RACKET_SPORTS_TENNIS',
  badminton: 'RACKET_SPORTS_BADMINTON',
  squash: 'RACKET_SPORTS_SQUASH',
  table_tennis: 'RACKET_SPORTS_TABLE_TENNIS',
  padel: 'RACKET_SPORTS_PADEL',
  yoga: 'FITNESS_YOGA',
  pilates: 'FITNESS_PILATES',
  stretching: 'FITNESS_STRETCHING',
  boxing: 'COMBAT_SPORTS_BOXING',
  martial_arts: 'COMBAT_SPORTS_MARTIAL_ARTS, KICKBOXING_MARTIAL_ARTS',
  rock_climbing: 'OUTDOOR_CLIMBING',
  indoor_climbing: 'INDOOR_CLIMBING',
  orienteering: 'ORIENTEERING',
  golf: 'GOLF',
  inline_skating: 'INLINE_SKATING',
  skateboarding: 'SKATEBOARDING',
  horseback_riding: 'HORSEBACK_RIDING',
  multisport: 'MULTISPORT',
  triathlon: 'TRIATHLON',
  motorcycling: 'MOTORSPORTS',
  dance: 'DANCE',
});

/**
 * Returns the unified workout type for the detail, or for the sport if the detail is unknown. The vendor's own `OTHER`
 * is a generic workout.
 */
export function workoutType(sport: string | undefined, detail: string | undefined): WorkoutType {
  for (const name of [detail, sport]) {
    const found = name === undefined ? undefined : byName(name);
    if (found) return found;
  }
  return sport !== undefined && lettersOf(sport) === 'other' ? 'generic' : 'other';
}
