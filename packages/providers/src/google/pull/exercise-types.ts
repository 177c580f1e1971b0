import { isWorkoutType, type WorkoutType } from '@healthd/model';

/** Exercise names whose lower-case form is not a unified type, by unified type. */
const NAMES: Partial<Record<WorkoutType, string>> = {
  running: 'INCLINE_RUN',
  trail_running: 'TRAIL_RUN',
  treadmill: 'TREADMILL_WALK',
  walking: 'INCLINE_WALK NORDIC_WALKING STROLLER_WALK',
  walking_fitness: 'POWER_WALKING WALK_WITH_WEIGHTS',
  hiking: 'BACKPACKING RUCKING',
  cycling: 'BIKING OUTDOOR_BIKE HAND_CYCLING UNICYCLING',
  mountain_biking: 'MOUNTAIN_BIKE',
  e_biking: 'ELECTRIC_BIKE',
  indoor_cycling: 'STATIONARY_BIKE ASSAULT_BIKE SPINNING',
  swimming: 'SYNCHRONIZED_SWIMMING',
  pool_swimming: 'SWIMMING_POOL',
  open_water_swimming: 'SWIMMING_OPEN_WATER',
  stand_up_paddleboarding: 'PADDLEBOARDING',
  diving: 'SCUBA_DIVING',
  water_sports: 'FOILING WATER_AEROBICS WATER_JOGGING WATER_SPORT WATER_VOLLEYBALL',
  strength_training:
    'FUNCTIONAL_STRENGTH_TRAINING CORE_TRAINING BODY_WEIGHT CALISTHENICS POWERLIFTING WEIGHTLIFTING FREE_WEIGHTS WEIGHTS WEIGHT_MACHINES RESISTANCE_BANDS TRX CROSSFIT',
  stair_climbing: 'STAIRCLIMBER STEP_TRAINING',
  cardio_training:
    'CARDIO_WORKOUT CARDIO_SCULPT HIIT TABATA_WORKOUT INTERVAL_WORKOUT CIRCUIT_TRAINING CROSS_TRAINING BOOTCAMP JUMPING_ROPE',
  aerobics: 'AEROBIC_WORKOUT',
  group_exercise: 'EXERCISE_CLASS BARRE_CLASS',
  gaming: 'FITNESS_GAMING',
  generic: 'WORKOUT OUTDOOR_WORKOUT',
  yoga: 'YOGA_BIKRAM YOGA_HATHA YOGA_POWER YOGA_VINYASA',
  meditation: 'MEDITATE',
  martial_arts: 'KICKBOXING JIU_JITSU KARATE TAEKWONDO MUAY_THAI TAI_CHI',
  downhill_skiing: 'SKIING',
  cross_country_skiing: 'CROSS_COUNTRY_SKI',
  snow_sports: 'SNOW_SPORT',
  ice_skating: 'SPEED_SKATING',
  skating: 'ROLLER_SKATING',
  inline_skating: 'ROLLERBLADING',
  baseball: 'SOFTBALL',
  volleyball: 'VOLLEYBALL_BEACH',
  hockey: 'FIELD_HOCKEY',
  american_football: 'FOOTBALL_AMERICAN',
  football: 'FOOTBALL_AUSTRALIAN',
  // The vendor's spelling.
  pickleball: 'PICKELBALL',
  rock_climbing: 'CLIMBING',
  horseback_riding: 'EQUESTRIAN_SPORTS',
  gymnastics: 'TRAMPOLINE CHEERLEADING',
  disc_sports: 'FRISBEE_PLAYING_GENERAL ULTIMATE_FRISBEE',
  sport: 'TRACK_AND_FIELD',
  dance: 'DANCING BALLET BALLROOM_DANCE BREAKDANCING HIP_HOP JAZZ_DANCE MODERN_DANCE TANGO ZUMBA',
  motorcycling: 'MOTORCYCLE',
  motor_sports: 'MOTOCROSS',
  chores: 'CLEANING HOUSEHOLD_CHORES GARDENING MOWING_LAWN SHOVELING WEEDING HOEING CARPENTRY',
};

const TYPES: ReadonlyMap<string, WorkoutType> = new Map(
  Object.entries(NAMES).flatMap(([type, names]) => names.split(' ').map((name) => [name, type as WorkoutType])),
);

/** Returns the unified type of an exercise; `other` for unknown names. */
export function exerciseType(name: string | undefined): WorkoutType {
  if (name === undefined) return 'other';
  const lower = name.toLowerCase();
  return TYPES.get(name) ?? (isWorkoutType(lower) ? lower : 'other');
}
