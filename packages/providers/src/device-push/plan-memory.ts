import { textOf } from '../payload/index.js';
import type { PushAdapter, RecordPlan } from './adapter.js';

/** Maximum length of a type in a report. */
const MAX_TYPE = 120;

interface KnownPlan {
  type: string | undefined;
  unit: string | undefined;
  plan: RecordPlan | undefined;
}

/** Caches plans by type and unit text, because a payload has thousands of items and few types. */
export class PlanMemory {
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
