import {
  MS_PER_DAY,
  MS_PER_MINUTE,
  type SampleRecord,
  type SourceIdentity,
  seriesTypeByCode,
  sourceKey,
} from '@healthd/model';
import type { PlacedItem } from './item-reader.js';

const ACTIVE = seriesTypeByCode('energy').id;
const BASAL = seriesTypeByCode('basal_energy').id;

/** Where an amount belongs. */
type ItemSpan = Pick<PlacedItem, 'source' | 'startMs' | 'endMs' | 'offsetMinutes'>;

/** The active energy of an interval. */
export interface ActiveEnergy extends Omit<ItemSpan, 'offsetMinutes'> {
  kcal: number;
}

/** An interval's active and basal energy in one figure. */
export interface TotalEnergy extends ItemSpan {
  /** As the client calls it. */
  type: string | undefined;
  kcal: number;
  /** The item's id; what is derived from it is a part of the item. */
  id?: string | undefined;
  parentId?: string | undefined;
}

/**
 * A basal metabolic rate in kcal a day as the basal energy of its local day: a rate is no amount, and several readings
 * of one day would add up to several days' energy.
 */
export function basalOfDay(placed: ItemSpan, kcalPerDay: number): SampleRecord {
  const { source, offsetMinutes } = placed;
  const day = { startMs: dayStartOf(placed), durationMs: MS_PER_DAY, offsetMinutes };
  return { kind: 'sample', source, typeId: BASAL, ...day, value: kcalPerDay, sampleKind: 'daily_total' };
}

/** Ends the writer of a source whose active energy was worked out from totals. */
const FROM_TOTALS = 'total energy';

/**
 * Total minus active energy of the same interval and source is basal energy. Where a source gives no active energy but
 * the basal rate of that day, total minus its share of the rate is active energy, under a source of its own: what
 * another batch may give as active is never counted together with it, because a day's energy comes from one source. Any
 * other total gives neither of them and stays unstored.
 * @param basal basal energy of whole days, as {@link basalOfDay} makes it
 * @returns for each total what is stored of it; nothing when it says nothing
 */
export function energyOfTotals(
  totals: readonly TotalEnergy[],
  active: readonly ActiveEnergy[],
  basal: readonly SampleRecord[],
): { from: TotalEnergy; samples: SampleRecord[] }[] {
  if (totals.length === 0) return [];
  const withActive = new Set(active.map(({ source }) => sourceKey(source)));
  const dayKey = (source: SourceIdentity, startMs: number) => `${sourceKey(source)} ${startMs}`;
  const basalDays = new Map(basal.map((one) => [dayKey(one.source, one.startMs), one]));
  const keyOf = ({ source, startMs, endMs }: ActiveEnergy) => `${sourceKey(source)} ${startMs} ${endMs}`;
  const activeKcal = new Map(active.map((one) => [keyOf(one), one.kcal]));
  return totals.map((from) => {
    const known = activeKcal.get(keyOf(from));
    if (known !== undefined) return { from, samples: restOf(from, BASAL, known) };
    const day = withActive.has(sourceKey(from.source))
      ? undefined
      : basalDays.get(dayKey(from.source, dayStartOf(from)));
    if (!day) return { from, samples: [] };
    const source = { ...from.source, writer: [from.source.writer, FROM_TOTALS].filter(Boolean).join('/') };
    const share = (day.value * (from.endMs - from.startMs)) / MS_PER_DAY;
    const rest = restOf({ ...from, source }, ACTIVE, share);
    return { from, samples: rest.length === 0 ? [] : [...rest, { ...day, source }] };
  });
}

/** What is left of a total; nothing when more is known than the total says. */
function restOf(total: TotalEnergy, typeId: number, knownKcal: number): SampleRecord[] {
  const { source, startMs, endMs, offsetMinutes, kcal, id: externalId } = total;
  if (knownKcal > kcal) return [];
  const durationMs = endMs > startMs ? endMs - startMs : undefined;
  return [
    {
      kind: 'sample',
      externalId,
      source,
      typeId,
      startMs,
      durationMs,
      offsetMinutes,
      value: kcal - knownKcal,
      sampleKind: 'sample',
    },
  ];
}

/** Midnight that begins the local day of an instant. */
function dayStartOf({ startMs, offsetMinutes }: ItemSpan): number {
  const offsetMs = (offsetMinutes ?? 0) * MS_PER_MINUTE;
  return Math.floor((startMs + offsetMs) / MS_PER_DAY) * MS_PER_DAY - offsetMs;
}
