import { type BatchBuilder, brokenBound, SAMPLE_KIND_CODE, type SampleRecord, seriesTypeByCode } from '@healthd/model';
import type { PushAdapter, RecordPlan } from './adapter.js';
import type { ItemReader } from './item-reader.js';
import { numberOf, textOf } from './payload-values.js';
import { type ActiveEnergy, basalOfDay, energyOfTotals, type TotalEnergy } from './total-energy.js';

const MAX_TYPE = 120;
const ENERGY = seriesTypeByCode('energy').id;
const BASAL_ENERGY = seriesTypeByCode('basal_energy').id;

/**
 * Adds the samples of `data.records` to a batch. It makes no object of a plain sample: of 2,000 records most of the
 * time went into these.
 * @param known adapters in the order in which they are asked for a type
 */
export function readRecords(
  items: readonly unknown[],
  reader: ItemReader,
  known: readonly PushAdapter[],
  batch: Pick<BatchBuilder, 'add' | 'addSample'>,
): void {
  const { tally, placed } = reader;
  const plans = new PlanMemory(known);
  const totals: TotalEnergy[] = [];
  const active: ActiveEnergy[] = [];
  const basal: SampleRecord[] = [];
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    if (!reader.place('records', item, index)) continue;
    const { type, unit, plan } = plans.of(item.type, item.unit);
    const amount = numberOf(item.value);
    if (amount === undefined) {
      tally.reject('records', index, 'value', isAbsent(item.value) ? 'missing' : 'invalid_value', type);
    } else if (plan === undefined) {
      tally.ignore(type ?? '(no type)');
    } else if (plan.kind === 'unknown_unit') {
      tally.reject('records', index, 'unit', 'unknown_unit', `${type}:${unit}`);
    } else if (plan.kind === 'total_energy') {
      totals.push({ ...placed, type, kcal: amount, id: sampleId(item.id) });
    } else {
      const value = plan.kind === 'sample' ? plan.convert(amount) : amount;
      const durationMs = placed.endMs > placed.startMs ? placed.endMs - placed.startMs : undefined;
      const isRate = plan.kind === 'basal_rate';
      const bound = isRate
        ? brokenBound(BASAL_ENERGY, value, undefined, SAMPLE_KIND_CODE.daily_total)
        : brokenBound(plan.typeId, value, durationMs);
      if (bound !== undefined) {
        tally.reject('records', index, 'value', 'implausible', bound);
        continue;
      }
      tally.accept('records');
      if (plan.kind === 'basal_rate') {
        const day = basalOfDay(placed, value);
        basal.push(day);
        batch.add(day);
      } else {
        const { source, startMs, endMs, offsetMinutes } = placed;
        const id = sampleId(item.id);
        batch.addSample(source, plan.typeId, SAMPLE_KIND_CODE.sample, startMs, durationMs, offsetMinutes, value, id);
        if (plan.typeId === ENERGY) active.push({ source, startMs, endMs, kcal: value });
      }
    }
  }
  for (const { from, samples } of energyOfTotals(totals, active, basal)) {
    for (const sample of samples) batch.add(sample);
    if (samples.length === 0) tally.ignore(from.type ?? '');
    else tally.accept('records');
  }
}

interface KnownPlan {
  type: string | undefined;
  unit: string | undefined;
  plan: RecordPlan | undefined;
}

/** What types and units mean, found by the texts as they are sent: a payload has thousands of items and few types. */
class PlanMemory {
  private readonly plans = new Map<unknown, Map<unknown, KnownPlan>>();

  constructor(private readonly known: readonly PushAdapter[]) {}

  of(sentType: unknown, sentUnit: unknown): KnownPlan {
    let byUnit = this.plans.get(sentType);
    if (byUnit === undefined) {
      byUnit = new Map();
      this.plans.set(sentType, byUnit);
    }
    let known = byUnit.get(sentUnit);
    if (known === undefined) {
      const type = textOf(sentType, MAX_TYPE);
      const unit = textOf(sentUnit);
      known = { type, unit, plan: type === undefined ? undefined : firstPlan(this.known, type, unit) };
      byUnit.set(sentUnit, known);
    }
    return known;
  }
}

function firstPlan(known: readonly PushAdapter[], type: string, unit: string | undefined): RecordPlan | undefined {
  for (const adapter of known) {
    const plan = adapter.record(type, unit);
    if (plan) return plan;
  }
  return undefined;
}

/** Only a hash of it is stored, so that it may hold anything. */
function sampleId(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}
