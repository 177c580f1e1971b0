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
  // How well the time of going to bed fits the body clock. A client of the compatible interface skips unknown categories.
  'sleep_timing',
] as const;
export type ScoreCategory = (typeof SCORE_CATEGORIES)[number];

/** The values that a score can take; `max` is undefined where the scale is open above. */
export interface ScoreScale {
  min: number;
  max: number | undefined;
}

const PERCENT: ScoreScale = { min: 0, max: 100 };
const FROM_ONE: ScoreScale = { min: 1, max: 100 };

/** The scales that vendors document for the scores that they compute. */
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

/** The scale of a score; undefined where it is not known. */
export function scoreScale(provider: string, category: string): ScoreScale | undefined {
  return SCALES[provider as ProviderId]?.[category as ScoreCategory];
}
