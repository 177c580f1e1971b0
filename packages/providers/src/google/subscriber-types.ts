/** Types whose changes the vendor tells of, of those that are read. */
export const SUBSCRIBED_TYPES = [
  'steps',
  'distance',
  'hydration-log',
  'heart-rate',
  'run-vo2-max',
  'daily-resting-heart-rate',
  'heart-rate-variability',
  'weight',
  'body-fat',
  'blood-glucose',
  'daily-respiratory-rate',
  'sleep',
  'exercise',
] as const;
