import {
  type BatchBuilder,
  brokenBound,
  COMPUTED_SERIES,
  isSeriesComputed,
  SAMPLE_KIND_CODE,
  type SampleRecord,
  seriesTypeByCode,
} from '@healthd/model';
import { numberOf } from '../payload/index.js';
import type { PushAdapter } from './adapter.js';
import { readHeartbeats } from './heartbeats.js';
import type { ItemReader } from './item-reader.js';
import { PlanMemory } from './plan-memory.js';
import { type ActiveEnergy, basalOfDay, energyOfTotals, type TotalEnergy } from './total-energy.js';

const ENERGY = seriesTypeByCode('energy').id;
const BASAL_ENERGY = seriesTypeByCode('basal_energy').id;

/**
 * Adds the samples of `data.records` to a batch. Avoids an object per plain sample, because allocation took most of the
 * time for 2,000 records.
 * @param known adapters in the order of their type lookup
 */
export function readRecords(
  items: readonly unknown[],
  reader: ItemReader,
  known: readonly PushAdapter[],
  batch: Pick<BatchBuilder, 'add' | 'addComputed' | 'addSample' | 'markPushed'>,
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
      totals.push({ ...placed, type, kcal: amount, id: sampleId(item.id), parentId: sampleId(item.parentId) });
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
        batch.markPushed(undefined, undefined);
      } else {
        const { source, startMs, endMs, offsetMinutes } = placed;
        const id = sampleId(item.id);
        batch.addSample(source, plan.typeId, SAMPLE_KIND_CODE.sample, startMs, durationMs, offsetMinutes, value, id);
        batch.markPushed(id, sampleId(item.parentId));
        if (!isAbsent(item.heartbeats) && plan.typeId === COMPUTED_SERIES.fromTypeId) {
          if (isSeriesComputed(source.provider, COMPUTED_SERIES.typeId)) {
            const beats = readHeartbeats(item.heartbeats);
            // The record itself is stored.
            if ('problem' in beats) tally.reject('records', index, 'heartbeats', beats.problem);
            else if (beats.rmssd !== undefined) batch.addComputed(beats.rmssd);
          }
        }
        if (plan.typeId === ENERGY) active.push({ source, startMs, endMs, kcal: value });
      }
    }
  }
  for (const { from, samples } of energyOfTotals(totals, active, basal)) {
    for (const sample of samples) {
      batch.add(sample);
      batch.markPushed(sample.externalId, from.parentId);
    }
    if (samples.length === 0) tally.ignore(from.type ?? '');
    else tally.accept('records');
  }
}

/** Accepts any text, because only its hash is stored. */
function sampleId(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}
