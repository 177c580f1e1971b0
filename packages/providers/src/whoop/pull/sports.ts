import type { WorkoutType } from '@healthd/model';
import { lettersOf, sportNames } from '../../rest/index.js';

/** The vendor's sport names by unified type, separated by commas. */
const NAMES: Partial<Record<WorkoutType, string>> = {
  running: 'running, track & field, stroller jogging',
  walking: 'walking, stroller walking, dog walking, caddying, toddlerwearing, babywearing, wheelchair pushing',
  hiking: 'hiking/rucking',
  cycling: 'cycling',
  mountain_biking: 'mountain biking',
  indoor_cycling: 'spin, assault bike',
  swimming: 'swimming',
  water_polo: 'water polo',
  rowing: 'rowing',
  kayaking: 'kayaking',
  stand_up_paddleboarding: 'paddleboarding',
  surfing: 'surfing',
  sailing: 'sailing',
  diving: 'diving',
  water_skiing: 'water skiing',
  wakeboarding: 'wakeboarding',
  kitesurfing: 'kite boarding',
  strength_training: 'weightlifting, powerlifting, strength trainer',
  cardio_training: 'functional fitness, hiit, jumping rope, obstacle course racing',
  elliptical: 'elliptical',
  stair_climbing: 'stairmaster, climber, stadium steps',
  parkour: 'parkour',
  yoga: 'yoga, hot yoga',
  pilates: 'pilates',
  stretching: 'stretching',
  meditation: 'meditation',
  group_exercise: "barre, barre3, f45 training, barry's",
  alpine_skiing: 'skiing',
  cross_country_skiing: 'cross country skiing',
  snowboarding: 'snowboarding',
  ice_skating: 'ice skating',
  soccer: 'soccer',
  basketball: 'basketball',
  american_football: 'football',
  football: 'australian football, gaelic football',
  baseball: 'baseball, softball',
  volleyball: 'volleyball',
  rugby: 'rugby',
  lacrosse: 'lacrosse',
  cricket: 'cricket',
  handball: 'handball',
  hockey: 'ice hockey, field hockey',
  sport: 'netball, ultimate, spikeball, hurling/camogie, paintball',
  tennis: 'tennis',
  squash: 'squash',
  badminton: 'badminton',
  table_tennis: 'table tennis',
  pickleball: 'pickleball',
  padel: 'padel, paddle tennis',
  boxing: 'boxing, kickboxing, box fitness',
  martial_arts: 'martial arts, jiu jitsu, muay thai',
  wrestling: 'wrestling',
  fencing: 'fencing',
  rock_climbing: 'rock climbing',
  golf: 'golf',
  disc_sports: 'disc golf',
  inline_skating: 'inline skating',
  skateboarding: 'skateboarding',
  horseback_riding: 'horseback riding, polo',
  triathlon: 'triathlon',
  multisport: 'duathlon',
  motorcycling: 'motocross',
  motor_sports: 'motor racing',
  dance: 'dance, circus arts, stage performance',
  gymnastics: 'gymnastics',
  recovery: 'ice bath, sauna, hot tub, massage therapy, air compression, percussive massage',
  operations: 'operations - tactical, operations - medical, operations - flying, operations - water',
  work: 'manual labor, high stress work, coaching',
  lifestyle: 'watching sports, commuting, public speaking, musical performance, dedicated parenting',
  gaming: 'gaming',
  chores: 'yard work, cooking, cleaning',
  generic: 'activity, other',
};

const byName = sportNames(NAMES);

/** Ids of the most common sports, for old records without names. */
const BY_ID: Readonly<Record<number, WorkoutType>> = {
  0: 'running',
  1: 'cycling',
  33: 'swimming',
  44: 'yoga',
  45: 'strength_training',
  52: 'hiking',
  63: 'walking',
};
const MUSCULOSKELETAL = /msk$/;

/** Returns the unified type of a sport. A name that ends in `msk` is a workout with weights. */
export function workoutType(name: string | undefined, id: number | undefined): WorkoutType {
  if (name === undefined) return (id !== undefined && BY_ID[id]) || 'other';
  if (MUSCULOSKELETAL.test(lettersOf(name))) return 'strength_training';
  return byName(name) ?? 'other';
}
