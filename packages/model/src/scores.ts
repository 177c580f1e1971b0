import type { ProviderId } from './providers.js';

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
  // Fit of the bedtime to the body clock. Clients of the compatible interface skip unknown categories.
  'sleep_timing',
] as const;
export type ScoreCategory = (typeof SCORE_CATEGORIES)[number];

/** Range of a score; `max` is undefined if the scale has no upper limit. */
export interface ScoreScale {
  min: number;
  max: number | undefined;
}

const PERCENT: ScoreScale = { min: 0, max: 100 };
const FROM_ONE: ScoreScale = { min: 1, max: 100 };

/** Scales that vendors document for their scores. */
const SCALES: Partial<Record<ProviderId, Partial<Record<ScoreCategory, ScoreScale>>>> = {
  whoop: { sleep: PERCENT, recovery: PERCENT, strain: { min: 0, max: 21 } },
  oura: { sleep: FROM_ONE, readiness: FROM_ONE, activity: FROM_ONE },
  garmin: { sleep: FROM_ONE, stress: PERCENT, body_battery: PERCENT },
  ultrahuman: { sleep: PERCENT, recovery: PERCENT, activity: PERCENT },
  suunto: { sleep: PERCENT, recovery: PERCENT },
  polar: {
    sleep: FROM_ONE,
    recovery: { min: 1, max: 6 },
    readiness: { min: 0, max: 10 },
    strain: { min: 0, max: undefined },
    sleep_timing: { min: 1, max: 3 },
  },
  sensorbio: { sleep: PERCENT, recovery: PERCENT, activity: PERCENT },
};

/** Returns the scale of a score; undefined if it is unknown. */
export function scoreScale(provider: string, category: string): ScoreScale | undefined {
  return SCALES[provider as ProviderId]?.[category as ScoreCategory];
}
