import { MS_PER_SECOND, type ProviderId } from '@healthd/model';
import type { DayOfLife } from './days.js';
import { REPORTED_DAYS, type ReportedDay } from './truth.js';
import type { Dated } from './vitals.js';

/** Returns the days that one provider reports. */
export function daysOf(provider: ProviderId): readonly ReportedDay[] {
  return REPORTED_DAYS.filter((reported) => reported.provider === provider);
}

export function entriesOf(dated: Dated): (readonly [DayOfLife, number])[] {
  return Object.entries(dated).map(([day, value]) => [Number(day) as DayOfLife, value] as const);
}

export function seconds(ms: number): number {
  return ms / MS_PER_SECOND;
}
