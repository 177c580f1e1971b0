/** Categories of health scores in the order of the contract. */
export const SCORE_CATEGORIES = [
  'sleep',
  'recovery',
  'readiness',
  'activity',
  'stress',
  'resilience',
  'body_battery',
  'strain',
] as const;
export type ScoreCategory = (typeof SCORE_CATEGORIES)[number];
