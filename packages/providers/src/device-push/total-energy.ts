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

/** Source and time of an amount. */
type ItemSpan = Pick<PlacedItem, 'source' | 'startMs' | 'endMs' | 'offsetMinutes'>;

/** Active energy of an interval. */
export interface ActiveEnergy extends Omit<ItemSpan, 'offsetMinutes'> {
  kcal: number;
}

/** Active and basal energy of an interval in one figure. */
export interface TotalEnergy extends ItemSpan {
  /** The client's name of the type. */
  type: string | undefined;
  kcal: number;
  /** Id of the item that derived samples become parts of. */
  id?: string | undefined;
  parentId?: string | undefined;
}

/**
 * Converts a basal metabolic rate in kcal per day into the basal energy of its local day. A rate is not an amount:
 * several readings of one day would add up to several days' energy.
 */
export function basalOfDay(placed: ItemSpan, kcalPerDay: number): SampleRecord {
  const { source, offsetMinutes } = placed;
  const day = { startMs: dayStartOf(placed), durationMs: MS_PER_DAY, offsetMinutes };
  return { kind: 'sample', source, typeId: BASAL, ...day, value: kcalPerDay, sampleKind: 'daily_total' };
}

/** Suffix of the writer for active energy that is derived from totals. */
const FROM_TOTALS = 'total energy';

/**
 * Derives energy from totals. Total minus active energy of the same interval and source is basal energy. If a source
 * has no active energy but has that day's basal rate, total minus the rate's share is active energy. Derived active
 * energy gets a separate source with a copy of the day's basal energy. The derived energy is therefore never added to
 * active energy of another batch, because a day's energy comes from one source. All other totals are not stored.
 * @param basal basal energy of whole days, see {@link basalOfDay}
 * @returns the samples derived from each total; an empty list if no sample can be derived
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

/** Returns the remainder of a total; an empty list if the known part exceeds the total. */
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

/** Returns the midnight that starts the instant's local day. */
function dayStartOf({ startMs, offsetMinutes }: ItemSpan): number {
  const offsetMs = (offsetMinutes ?? 0) * MS_PER_MINUTE;
  return Math.floor((startMs + offsetMs) / MS_PER_DAY) * MS_PER_DAY - offsetMs;
}
