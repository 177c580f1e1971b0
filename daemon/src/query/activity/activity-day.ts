import type { MinuteBitmap } from '@healthd/model';
import type { Winner } from './choose-sources.js';
import type { DayMinutesRow } from './day-minutes.sql.js';
import type { Family } from './families.js';

/** Everything known about one day, one source chosen per family. */
export interface ActivityDay {
  date: string;
  chosen: Record<Family, Winner | undefined>;
  movementMinutes: DayMinutesRow | undefined;
  heartMinutes: DayMinutesRow | undefined;
  asleep: MinuteBitmap;
  elevationMeters: number | null;
}
