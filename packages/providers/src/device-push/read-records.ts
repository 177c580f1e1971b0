import { type HealthRecord, type SampleRecord, seriesTypeByCode } from '@healthd/model';
import type { PushAdapter, RecordPlan } from './adapter.js';
import type { ItemReader, PlacedItem } from './item-reader.js';
import { numberOf, textOf } from './payload-values.js';
import { basalOfDay, energyOfTotals, type TotalEnergy } from './total-energy.js';

/** A value beyond this is no measurement in any unit. */
export const IMPLAUSIBLE = 1e12;
const MAX_TYPE = 120;

/** Samples of `data.records`. @param known adapters in the order in which they are asked for a type */
export function readRecords(
  items: readonly unknown[],
  reader: ItemReader,
  known: readonly PushAdapter[],
): HealthRecord[] {
  const { tally } = reader;
  const plans = new Map<string, RecordPlan | undefined>();
  const planOf = (type: string, unit: string | undefined) => {
    const key = `${type}\u0001${unit ?? ''}`;
    if (!plans.has(key)) plans.set(key, firstPlan(known, type, unit));
    return plans.get(key);
  };
  const samples: HealthRecord[] = [];
  const totals: TotalEnergy[] = [];
  for (const [index, value] of items.entries()) {
    const placed = reader.read('records', value, index);
    if (!placed) continue;
    const type = textOf(placed.item.type, MAX_TYPE);
    const unit = textOf(placed.item.unit);
    const amount = numberOf(placed.item.value);
    if (amount === undefined) {
      tally.reject('records', index, 'value', isAbsent(placed.item.value) ? 'missing' : 'invalid_value', type);
      continue;
    }
    const plan = type === undefined ? undefined : planOf(type, unit);
    if (plan === undefined) {
      tally.ignore(type ?? '(no type)');
      continue;
    }
    if (plan.kind === 'unknown_unit') {
      tally.reject('records', index, 'unit', 'unknown_unit', `${type}:${unit}`);
    } else if (plan.kind === 'total_energy') {
      totals.push({ ...placed, kcal: amount });
    } else {
      const sample = plan.kind === 'basal_rate' ? basalOfDay(placed, amount) : sampleOf(placed, plan, amount);
      if (Math.abs(sample.value) < IMPLAUSIBLE) {
        samples.push(sample);
        tally.accept('records');
      } else tally.reject('records', index, 'value', 'implausible', type);
    }
  }
  for (const { from, sample } of energyOfTotals(totals, samples.filter(isEnergy))) {
    if (sample === undefined) tally.ignore(textOf(from.item.type, MAX_TYPE) ?? '');
    else {
      samples.push(sample);
      tally.accept('records');
    }
  }
  return samples;
}

function firstPlan(known: readonly PushAdapter[], type: string, unit: string | undefined): RecordPlan | undefined {
  for (const adapter of known) {
    const plan = adapter.record(type, unit);
    if (plan) return plan;
  }
  return undefined;
}

function sampleOf(placed: PlacedItem, plan: RecordPlan & { kind: 'sample' }, value: number): SampleRecord {
  return {
    kind: 'sample',
    source: placed.source,
    typeId: plan.typeId,
    startMs: placed.startMs,
    durationMs: placed.endMs > placed.startMs ? placed.endMs - placed.startMs : undefined,
    offsetMinutes: placed.offsetMinutes,
    value: plan.convert(value),
    sampleKind: 'sample',
  };
}

const ENERGY = seriesTypeByCode('energy').id;

function isEnergy(record: HealthRecord): record is SampleRecord {
  return record.kind === 'sample' && record.typeId === ENERGY;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}
