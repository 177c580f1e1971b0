/** Types that the service subscribes to. Other types that the vendor can report are polled or not read. */
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
