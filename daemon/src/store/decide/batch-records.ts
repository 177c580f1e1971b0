import {
  type HealthRecord,
  MS_PER_DAY,
  type PersonalRecord,
  type Rejected,
  SLEEP_LENGTH,
  type SleepSessionRecord,
} from '@healthd/model';
import type { CycleRow, ScoreRow } from '../facts/events/event-kinds.js';
import type { WorkoutRow } from '../facts/events/workouts.js';
import { intervalFault, sessionFault, workoutFault } from '../facts/interval-errors.js';
import { isStorableInstant } from '../facts/interval-errors.js';
import type { ArrivingStage } from '../facts/sleep/stages.js';
import type { VendorSessionRow } from '../facts/sleep/vendor-sessions.js';
import { type ResolvedSources, sourceIdOf } from '../facts/sources/resolved-source.js';
import { plausibleSeconds } from './plausible-seconds.js';
import { plausibleFigures } from './workout-figures.js';

/** Maximum duration of a stage. A longer stage comes from a device that was left on. */
const LONGEST_STAGE_MS = MS_PER_DAY;

/** Number of records processed between two yields to the event loop. */
const RECORDS_AT_ONCE = 500;

/** Storable items of one collection, and the rejected items. */
export interface ValidItems<Row> {
  rows: Row[];
  rejected: Rejected[];
}

/** A batch's records without samples, deletions and replacements. */
export interface BatchRecords {
  stages: ValidItems<ArrivingStage>;
  nights: ValidItems<VendorSessionRow>;
  workouts: ValidItems<WorkoutRow>;
  cycles: ValidItems<CycleRow>;
  scores: ValidItems<ScoreRow>;
  /** Rejected figures of workouts that are stored without them. */
  rejectedFigures: Rejected[];
  personal: PersonalRecord[];
}

/**
 * Groups a batch's records by type, and rejects unstorable records.
 * @param suppressed records to skip: they were deleted here before or are older than a cache limit
 * @param isPushed true if a push contains the records
 */
export function* sortRecords(
  records: readonly HealthRecord[],
  sources: ResolvedSources,
  suppressed: ReadonlySet<HealthRecord>,
  isPushed: boolean,
): Generator<void, BatchRecords> {
  const sorted: BatchRecords = {
    stages: { rows: [], rejected: [] },
    nights: { rows: [], rejected: [] },
    workouts: { rows: [], rejected: [] },
    cycles: { rows: [], rejected: [] },
    scores: { rows: [], rejected: [] },
    rejectedFigures: [],
    personal: [],
  };
  const take = <Row>(
    { rows, rejected }: ValidItems<Row>,
    item: Pick<Rejected, 'collection' | 'index'>,
    fault: Pick<Rejected, 'field' | 'code' | 'detail'> | undefined,
    rowOf: () => Row,
  ) => {
    if (fault) rejected.push({ kind: 'rejected', ...item, ...fault });
    else rows.push(rowOf());
  };
  for (const [index, record] of records.entries()) {
    if (index % RECORDS_AT_ONCE === 0) yield;
    if (suppressed.has(record)) continue;
    if (record.kind === 'personal') sorted.personal.push(record);
    if (!('source' in record)) continue;
    const sourceId = sourceIdOf(sources, record.source);
    if (record.kind === 'sleep_stage') {
      const fault = intervalFault(record, LONGEST_STAGE_MS);
      take(sorted.stages, { collection: 'sleep_stages', index }, fault, () => ({ record, sourceId, index }));
    } else if (record.kind === 'sleep_session') {
      const fault = sessionFault(record, SLEEP_LENGTH);
      take(sorted.nights, { collection: 'sleep_sessions', index }, fault, () => ({
        ...vendorSessionRow(record, sourceId),
        index,
      }));
    } else if (record.kind === 'workout') {
      const fault = workoutFault(record);
      const item = { collection: 'workouts', index };
      const { workout, faults } = plausibleFigures(record);
      take(sorted.workouts, item, fault, () => ({
        ...workout,
        sourceId,
        index,
        // A workout creation or completion comes from a notification, never from a phone.
        ...(isPushed && !workout.isCreation && !workout.isCompletion ? { isPushed } : undefined),
      }));
      if (!fault)
        sorted.rejectedFigures.push(...faults.map((one): Rejected => ({ kind: 'rejected', ...item, ...one })));
    } else if (record.kind === 'menstrual_cycle') {
      const fault = intervalFault(record, Number.POSITIVE_INFINITY);
      take(sorted.cycles, { collection: 'menstrual_cycles', index }, fault, () => ({ ...record, sourceId }));
    } else if (record.kind === 'health_score') {
      const fault = isStorableInstant(record.atMs) ? undefined : ({ field: 'at', code: 'invalid_date' } as const);
      const { provider } = record.source;
      take(sorted.scores, { collection: 'health_scores', index }, fault, () => ({ ...record, sourceId, provider }));
    }
  }
  return sorted;
}

/** Returns the vendor's session with durations that fit its length, and the resulting efficiency. */
export function vendorSessionRow(record: SleepSessionRecord, sourceId: number): VendorSessionRow {
  const seconds = plausibleSeconds(record);
  const { asleepSeconds, inBedSeconds } = seconds;
  const computed =
    asleepSeconds !== undefined && inBedSeconds !== undefined && inBedSeconds > 0
      ? (100 * asleepSeconds) / inBedSeconds
      : undefined;
  const efficiency = record.efficiencyPercent ?? computed;
  return {
    ...record,
    sourceId,
    isNap: record.isNap ?? false,
    ...seconds,
    efficiencyPercent: efficiency === undefined ? undefined : Math.min(100, Math.max(0, efficiency)),
    stages: record.stages && [...record.stages].sort((a, b) => a.startMs - b.startMs),
  };
}
