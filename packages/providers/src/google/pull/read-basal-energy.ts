import { MS_PER_HOUR, type ReplacementRecord, type SampleRecord, seriesTypeByCode } from '@healthd/model';
import type { PullMode, TimeRange } from '../../cloud/index.js';
import { wholeHours } from './hours.js';
import type { LocalDays } from './local-days.js';
import { numberAt } from './member-values.js';
import { placeRollUp } from './placed-point.js';
import { type RolledUp, readDailyRollUps, readRollUps } from './read-roll-ups.js';
import { replacedDays, replacedSamples } from './replaced.js';
import type { SeriesReading } from './series-reading.js';
import { MERGED_SOURCE } from './source.js';
import { dayWindows, hourWindows } from './windows.js';

/** The vendor's total energy, which exists only in windows of at most 14 days. */
export const TOTAL_ENERGY = 'total-calories';
const ACTIVE_ENERGY = 'active-energy-burned';
const LONGEST_DAYS = 14;
const BASAL = seriesTypeByCode('basal_energy').id;

/** Splits a range into windows of at most two weeks, at whole hours, or at whole days with daily granularity. */
export function energyWindows(range: TimeRange, mode: PullMode, days: LocalDays): TimeRange[] {
  return mode.granularity === 'daily' ? dayWindows(range, LONGEST_DAYS - 1, days) : hourWindows(range, LONGEST_DAYS);
}

/**
 * Computes basal energy as total minus active energy of the same windows. Storing the vendor's total would count active
 * energy twice.
 * @throws VendorError
 */
export async function readBasalEnergy(reading: SeriesReading): Promise<(SampleRecord | ReplacementRecord)[]> {
  const { window, mode, days, tally } = reading;
  const totals = await windowsOf(TOTAL_ENERGY, reading);
  const active = totals.length === 0 ? [] : await windowsOf(ACTIVE_ENERGY, reading);
  const activeKcal = new Map(active.map(({ startMs, payload }) => [startMs, payload && numberAt(payload, 'kcalSum')]));
  const samples = totals.flatMap((total): SampleRecord[] => {
    const index = tally.next();
    const placed = placeRollUp(total, days, (field, code) => void tally.reject(index, field, code));
    if (placed === undefined) return [];
    const kcal = total.payload && (numberAt(total.payload, 'kcalSum') ?? ('kcalSum' in total.payload ? undefined : 0));
    if (kcal === undefined) {
      tally.reject(index, 'kcalSum', 'invalid_value');
      return [];
    }
    // A window without active energy is rest. Rounding must not make the difference negative.
    const value = Math.max(0, Number((kcal - (activeKcal.get(total.startMs) ?? 0)).toFixed(6)));
    // Basal energy is never zero. A zero means that the vendor has only the active energy.
    if (value === 0) {
      tally.noValue++;
      return [];
    }
    return [{ kind: 'sample', source: MERGED_SOURCE, typeId: BASAL, ...placed, value }];
  });
  const [firstDay, endDay] = [days.dayAt(window.startMs), days.dayAt(window.endMs - 1) + 1];
  const replaced =
    mode.granularity === 'daily'
      ? replacedDays(['basal_energy'], firstDay, endDay, days)
      : [replacedSamples(['basal_energy'], wholeHours(window))];
  return [...replaced, ...samples];
}

function windowsOf(id: string, { api, window, mode, days }: SeriesReading): Promise<RolledUp[]> {
  if (mode.granularity !== 'daily') return readRollUps(api, id, wholeHours(window), MS_PER_HOUR);
  return readDailyRollUps(api, id, days.dayAt(window.startMs), days.dayAt(window.endMs - 1) + 1, days);
}
