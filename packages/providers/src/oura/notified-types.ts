/** Data types with change events that are read, by the vendor's event names. */
export const NOTIFIED_TYPES = [
  'sleep',
  'workout',
  'daily_activity',
  'daily_sleep',
  'daily_readiness',
  'daily_spo2',
  'daily_stress',
  'daily_resilience',
  'daily_cardiovascular_age',
  'vo2_max',
] as const;
