import { type SampleRecord, seriesTypeByCode, sourceKey } from '@healthd/model';
import type { PlacedItem } from './item-reader.js';

const MS_PER_DAY = 86_400_000;
const BASAL = seriesTypeByCode('basal_energy').id;

/** Where an amount belongs. */
type Place = Pick<PlacedItem, 'source' | 'startMs' | 'endMs' | 'offsetMinutes'>;

/** The active energy of an interval. */
export interface ActiveEnergy extends Omit<Place, 'offsetMinutes'> {
  kcal: number;
}

/** An interval's active and basal energy in one figure. */
export interface TotalEnergy extends Place {
  /** As the client calls it. */
  type: string | undefined;
  kcal: number;
}

/**
 * A basal metabolic rate in kcal a day as the basal energy of its local day: a rate is no amount, and several readings
 * of one day would add up to several days' energy.
 */
export function basalOfDay(placed: Place, kcalPerDay: number): SampleRecord {
  const offsetMs = (placed.offsetMinutes ?? 0) * 60_000;
  const startMs = Math.floor((placed.startMs + offsetMs) / MS_PER_DAY) * MS_PER_DAY - offsetMs;
  const { source, offsetMinutes } = placed;
  const day = { startMs, durationMs: MS_PER_DAY, offsetMinutes };
  return { kind: 'sample', source, typeId: BASAL, ...day, value: kcalPerDay, sampleKind: 'daily_total' };
}

/**
 * Total minus active energy of the same interval and source is basal energy. A total without its active part tells
 * neither of them and stays unstored: put into the active series it would be counted beside what is active.
 */
export function energyOfTotals(
  totals: readonly TotalEnergy[],
  active: readonly ActiveEnergy[],
): { from: TotalEnergy; sample?: SampleRecord }[] {
  if (totals.length === 0) return [];
  const keyOf = ({ source, startMs, endMs }: ActiveEnergy) => `${sourceKey(source)} ${startMs} ${endMs}`;
  const activeKcal = new Map(active.map((one) => [keyOf(one), one.kcal]));
  return totals.map((from) => {
    const activePart = activeKcal.get(keyOf(from));
    if (activePart === undefined || activePart > from.kcal) return { from };
    const { source, startMs, endMs, offsetMinutes } = from;
    const placed = { source, startMs, durationMs: endMs > startMs ? endMs - startMs : undefined, offsetMinutes };
    return {
      from,
      sample: { kind: 'sample', typeId: BASAL, ...placed, value: from.kcal - activePart, sampleKind: 'sample' },
    };
  });
}
