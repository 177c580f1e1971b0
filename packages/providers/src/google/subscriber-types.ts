/**
 * Types whose notifications are followed and subscribed to. The vendor may report more, which are polled or not read.
 */
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
