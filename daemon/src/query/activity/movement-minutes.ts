import { MinuteBitmap, round, seriesTypeByCode } from '@healthd/model';
import type { ActivitySummary } from '@healthd/schemas';
import type { ActivityDay } from './activity-day.js';
import { daySum } from './day-sums.js';

const ACTIVE_TIME = seriesTypeByCode('active_time').id;

/** Below this much known time nothing is said about the rest of the day. */
const MIN_COVERED_MINUTES = 6 * 60;

/**
 * Active minutes are the source's own daily figure, else the minutes with enough steps. Sedentary is what is left of
 * the covered minutes without sleep; nothing is said while less than six hours are covered.
 */
export function movementMinutes(day: ActivityDay): Pick<ActivitySummary, 'active_minutes' | 'sedentary_minutes'> {
  const activeTime = daySum(day.chosen.movement?.values.get(ACTIVE_TIME));
  const tracked = day.movementMinutes?.step_bits ?? null;
  const activeMinutes = MinuteBitmap.sent(day.movementMinutes?.active_bits ?? null);
  const active = activeTime === null ? tracked && activeMinutes.count() : round(activeTime);
  const covered = MinuteBitmap.sent(tracked).union(MinuteBitmap.sent(day.heartMinutes?.heart_bits ?? null));
  if (active === null || covered.count() < MIN_COVERED_MINUTES) {
    return { active_minutes: active, sedentary_minutes: null };
  }
  const awake = covered.without(day.asleep);
  const sedentary = activeTime === null ? awake.without(activeMinutes).count() : Math.max(0, awake.count() - active);
  return { active_minutes: active, sedentary_minutes: sedentary };
}
