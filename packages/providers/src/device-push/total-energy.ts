import { type SampleRecord, type SourceIdentity, seriesTypeByCode, sourceKey } from '@healthd/model';
import type { PlacedItem } from './item-reader.js';

const MS_PER_DAY = 86_400_000;
const ACTIVE = seriesTypeByCode('energy').id;
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
  const { source, offsetMinutes } = placed;
  const day = { startMs: dayStartOf(placed), durationMs: MS_PER_DAY, offsetMinutes };
  return { kind: 'sample', source, typeId: BASAL, ...day, value: kcalPerDay, sampleKind: 'daily_total' };
}

/**
 * Total minus active energy of the same interval and source is basal energy. Where a source tells no active energy at all
 * but the basal rate of that day, total minus its share of the rate is active energy. Any other total tells neither of
 * them and stays unstored: put into the active series it would be counted beside what is active.
 * @param basal basal energy of whole days, as {@link basalOfDay} makes it
 */
export function energyOfTotals(
  totals: readonly TotalEnergy[],
  active: readonly ActiveEnergy[],
  basal: readonly SampleRecord[],
): { from: TotalEnergy; sample?: SampleRecord }[] {
  if (totals.length === 0) return [];
  const withActive = new Set(active.map(({ source }) => sourceKey(source)));
  const dayKey = (source: SourceIdentity, startMs: number) => `${sourceKey(source)} ${startMs}`;
  const basalKcal = new Map(basal.map((one) => [dayKey(one.source, one.startMs), one.value]));
  const keyOf = ({ source, startMs, endMs }: ActiveEnergy) => `${sourceKey(source)} ${startMs} ${endMs}`;
  const activeKcal = new Map(active.map((one) => [keyOf(one), one.kcal]));
  return totals.map((from) => {
    const { source, startMs, endMs } = from;
    const rate = withActive.has(sourceKey(source)) ? undefined : basalKcal.get(dayKey(source, dayStartOf(from)));
    const known =
      activeKcal.get(keyOf(from)) ?? (rate === undefined ? undefined : (rate * (endMs - startMs)) / MS_PER_DAY);
    if (known === undefined || known > from.kcal) return { from };
    return { from, sample: restOf(from, rate === undefined ? BASAL : ACTIVE, from.kcal - known) };
  });
}

function restOf({ source, startMs, endMs, offsetMinutes }: TotalEnergy, typeId: number, kcal: number): SampleRecord {
  const durationMs = endMs > startMs ? endMs - startMs : undefined;
  return { kind: 'sample', source, typeId, startMs, durationMs, offsetMinutes, value: kcal, sampleKind: 'sample' };
}

/** Midnight that begins the local day of an instant. */
function dayStartOf({ startMs, offsetMinutes }: Place): number {
  const offsetMs = (offsetMinutes ?? 0) * 60_000;
  return Math.floor((startMs + offsetMs) / MS_PER_DAY) * MS_PER_DAY - offsetMs;
}
