import type { ExportRecord, Interned } from '@healthd/apple-export';
import {
  brokenBound,
  COMPUTED_SERIES,
  type HealthRecord,
  type Rejected,
  type SourceIdentity,
  ZoneOffsets,
  ZoneObservations,
} from '@healthd/model';
import { intervalProblem } from '../interval.js';
import { rmssdOfBeats } from './beat-intervals.js';
import { namedOffset, TIME_ZONE_KEY } from './named-offset.js';
import { quantityConverter, quantitySeries } from './quantities.js';
import { rejected, type Unsupported } from './rejection.js';
import { SLEEP_STAGES_BY_NUMBER, SLEEP_STAGES_BY_VALUE } from './sleep-stage-values.js';
import { appleSource } from './source.js';

const SLEEP_ANALYSIS = 'HKCategoryTypeIdentifierSleepAnalysis';

/** Plan for storing Records of one type and unit. */
type ExportedPlan =
  | { kind: 'sample'; typeId: number; convert: (value: number) => number }
  | { kind: 'sleep' }
  | { kind: 'unknown_unit' }
  | Unsupported;

/** Determines how to store Records of a type and unit. */
function recordPlanOf(type: string, unit: string | undefined): ExportedPlan {
  if (type === SLEEP_ANALYSIS) return { kind: 'sleep' };
  const series = quantitySeries(type);
  if (series === undefined) return { kind: 'unsupported', type };
  const convert = unit === undefined ? undefined : quantityConverter(series, unit);
  return convert === undefined ? { kind: 'unknown_unit' } : { kind: 'sample', typeId: series.id, convert };
}

const COLLECTION = 'Record';

const MAX_CACHED = 4096;

/**
 * Maps Records of the export. Caches the plan per type and unit and the source per device, keyed by the interned text,
 * so that each Record takes only a few comparisons.
 */
export class RecordMapper {
  private readonly zones = new ZoneOffsets();
  private readonly plans = new Map<Interned, Map<Interned | undefined, ExportedPlan>>();
  private readonly sources = new Map<
    Interned | undefined,
    Map<Interned | undefined, Map<Interned | undefined, SourceIdentity>>
  >();
  private sourceCount = 0;
  private planType: Interned | undefined;
  private planUnit: Interned | undefined;
  private plan: ExportedPlan | undefined;
  private sourceName: Interned | undefined;
  private sourceVersion: Interned | undefined;
  private sourceDevice: Interned | undefined;
  private source: SourceIdentity | undefined;

  /** @param observations receives the zones that records name */
  constructor(private readonly observations = new ZoneObservations('apple')) {}

  map(record: ExportRecord): HealthRecord | Rejected | Unsupported {
    const { type, index } = record;
    if (type === undefined) return rejected(COLLECTION, index, 'missing_attribute', { field: 'type' });
    const plan = this.planFor(type, record.unit);
    if (plan.kind === 'unsupported') return plan;
    const detail = type.text;
    if (!record.hasStart) return rejected(COLLECTION, index, 'missing_attribute', { field: 'startDate', detail });
    if (!record.hasEnd) return rejected(COLLECTION, index, 'missing_attribute', { field: 'endDate', detail });
    if (!record.hasValue) return rejected(COLLECTION, index, 'missing_attribute', { field: 'value', detail });
    const problem = intervalProblem(record.startMs, record.endMs);
    if (problem) return rejected(COLLECTION, index, problem.code, { field: problem.field, detail });
    if (plan.kind === 'sleep') return this.stage(record);
    if (plan.kind === 'unknown_unit') {
      if (record.unit === undefined) return rejected(COLLECTION, index, 'missing_attribute', { field: 'unit', detail });
      const unknown = { field: 'unit', detail: `${detail}:${record.unit.text}` };
      return rejected(COLLECTION, index, 'unknown_unit', unknown);
    }
    if (Number.isNaN(record.value)) return rejected(COLLECTION, index, 'invalid_value', { field: 'value', detail });
    const value = plan.convert(record.value);
    const durationMs = record.endMs > record.startMs ? record.endMs - record.startMs : undefined;
    const bound = brokenBound(plan.typeId, value, durationMs);
    if (bound !== undefined) return rejected(COLLECTION, index, 'implausible', { field: 'value', detail: bound });
    return {
      kind: 'sample',
      source: this.sourceOf(record),
      typeId: plan.typeId,
      startMs: record.startMs,
      durationMs,
      offsetMinutes: this.offsetOf(record),
      value,
      computed:
        record.beats.length > 0 && plan.typeId === COMPUTED_SERIES.fromTypeId ? rmssdOfBeats(record.beats) : undefined,
      sampleKind: 'sample',
    };
  }

  private stage(record: ExportRecord): HealthRecord | Rejected {
    const detail = record.type?.text;
    const stage = record.valueText
      ? SLEEP_STAGES_BY_VALUE.get(record.valueText.text)
      : SLEEP_STAGES_BY_NUMBER[record.value];
    if (stage === undefined) {
      // Newer systems may export a new stage by its name. Any other text could be a health value and is not reported.
      const name = record.valueText?.text ?? '';
      const about = { field: 'value', detail: name.startsWith('HKCategoryValue') ? name : detail };
      return rejected(COLLECTION, record.index, 'unknown_sleep_stage', about);
    }
    const { startMs, endMs } = record;
    if (endMs === startMs) return rejected(COLLECTION, record.index, 'empty_interval', { field: 'endDate', detail });
    const source = this.sourceOf(record);
    return { kind: 'sleep_stage', source, stage, startMs, endMs, offsetMinutes: this.wakingOffsetOf(record) };
  }

  private offsetOf(record: ExportRecord): number {
    return this.offsetInZone(record, record.startMs) ?? record.startOffsetMinutes;
  }

  // A stage may last the whole night. It belongs to the day of its end, in the local time of its end.
  private wakingOffsetOf(record: ExportRecord): number {
    return this.offsetInZone(record, record.endMs) ?? record.endOffsetMinutes;
  }

  // The offset in the dates follows the exporting phone's rules. The metadata contains the zone of the measurement.
  private offsetInZone({ metadata }: ExportRecord, atMs: number): number | undefined {
    const zone = metadata.size > 0 ? metadata.get(TIME_ZONE_KEY) : undefined;
    return zone === undefined ? undefined : namedOffset(zone, atMs, this.zones, this.observations);
  }

  private planFor(type: Interned, unit: Interned | undefined): ExportedPlan {
    if (this.plan !== undefined && type === this.planType && unit === this.planUnit) return this.plan;
    let byUnit = this.plans.get(type);
    if (byUnit === undefined) {
      if (this.plans.size >= MAX_CACHED) this.plans.clear();
      byUnit = new Map();
      this.plans.set(type, byUnit);
    }
    let plan = byUnit.get(unit);
    if (plan === undefined) {
      if (byUnit.size >= MAX_CACHED) byUnit.clear();
      plan = recordPlanOf(type.text, unit?.text);
      byUnit.set(unit, plan);
    }
    this.planType = type;
    this.planUnit = unit;
    this.plan = plan;
    return plan;
  }

  private sourceOf(record: ExportRecord): SourceIdentity {
    const { sourceName, sourceVersion, device } = record;
    if (
      this.source !== undefined &&
      sourceName === this.sourceName &&
      sourceVersion === this.sourceVersion &&
      device === this.sourceDevice
    ) {
      return this.source;
    }
    if (this.sourceCount >= MAX_CACHED) {
      this.sources.clear();
      this.sourceCount = 0;
    }
    const byVersion = nested(this.sources, sourceName);
    const byDevice = nested(byVersion, sourceVersion);
    let source = byDevice.get(device);
    if (source === undefined) {
      source = appleSource({ sourceName: sourceName?.text, sourceVersion: sourceVersion?.text, device: device?.text });
      byDevice.set(device, source);
      this.sourceCount++;
    }
    this.sourceName = sourceName;
    this.sourceVersion = sourceVersion;
    this.sourceDevice = device;
    this.source = source;
    return source;
  }
}

function nested<K, V>(map: Map<K, Map<K, V>>, key: K): Map<K, V> {
  let inner = map.get(key);
  if (inner === undefined) {
    inner = new Map();
    map.set(key, inner);
  }
  return inner;
}
