import { MS_PER_SECOND, type ProviderId } from '@healthd/model';
import type { DayOfLife } from './days.js';
import { TOLD_DAYS, type ToldDay } from './truth.js';
import type { Dated } from './vitals.js';

/** The days that one provider tells. */
export function daysOf(provider: ProviderId): readonly ToldDay[] {
  return TOLD_DAYS.filter((told) => told.provider === provider);
}

export function entriesOf(dated: Dated): (readonly [DayOfLife, number])[] {
  return Object.entries(dated).map(([day, value]) => [Number(day) as DayOfLife, value] as const);
}

export function seconds(ms: number): number {
  return ms / MS_PER_SECOND;
}
