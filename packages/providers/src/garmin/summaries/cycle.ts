import { MS_PER_DAY } from '@healthd/model';
import { z } from 'zod';
import { idOf, isObject, type PayloadObject, type PayloadOf, readPayload, textOf } from '../../payload/index.js';
import { dateOf, msOf } from './place.js';
import { faultOf, PLACE, summaryReader } from './reading.js';
import { GARMIN_SOURCE } from './source.js';

/**
 * Default lengths of a cycle and of a pregnancy, from the first day, if the vendor reports neither a length nor a due
 * date.
 */
const USUAL_CYCLE_DAYS = 28;
const PREGNANCY_DAYS = 280;

/** A cycle or a pregnancy, which is stored completely. */
const CYCLE = z.object({
  summaryId: z.unknown(),
  /** A date. An item is rejected if both this date and the pregnancy's start date are missing. */
  periodStartDate: z.unknown(),
  dayInCycle: z.number(),
  currentPhase: z.number(),
  lengthOfCurrentPhase: z.number(),
  daysUntilNextPhase: z.number(),
  predictedCycleLength: z.number(),
  cycleLength: z.number(),
  periodLength: z.number(),
  fertileWindowStart: z.number(),
  lengthOfFertileWindow: z.number(),
  lastUpdatedTimeInSeconds: z.number(),
  isPredictedCycle: z.boolean(),
  hasSpecifiedCycleLength: z.boolean(),
  hasSpecifiedPeriodLength: z.boolean(),
  currentPhaseType: z.string(),
  pregnancySnapshot: z.custom<PayloadObject>(isObject),
});
type Cycle = PayloadOf<typeof CYCLE>;

/** A pregnancy. */
const PREGNANCY = z.object({ dueDate: PLACE.shape.calendarDate });

/** Members of a cycle, by field name. */
const DETAILS = {
  day_in_cycle: 'dayInCycle',
  current_phase: 'currentPhase',
  length_of_current_phase: 'lengthOfCurrentPhase',
  days_until_next_phase: 'daysUntilNextPhase',
  predicted_cycle_length: 'predictedCycleLength',
  cycle_length: 'cycleLength',
  period_length: 'periodLength',
  fertile_window_start: 'fertileWindowStart',
  length_of_fertile_window: 'lengthOfFertileWindow',
  is_predicted_cycle: 'isPredictedCycle',
  has_specified_cycle_length: 'hasSpecifiedCycleLength',
  has_specified_period_length: 'hasSpecifiedPeriodLength',
} as const satisfies Record<string, keyof Cycle>;

/** Names of a cycle's fields in the contract, in the contract's order. */
export const CYCLE_FIELDS = [
  'current_phase',
  'current_phase_type',
  'cycle_length',
  'day_in_cycle',
  'days_until_next_phase',
  'fertile_window_start',
  'has_specified_cycle_length',
  'has_specified_period_length',
  'is_predicted_cycle',
  'last_updated_at',
  'length_of_current_phase',
  'length_of_fertile_window',
  'period_length',
  'predicted_cycle_length',
  'pregnancy_snapshot',
] as const;

/** A cycle or a pregnancy. Its phase changes daily: later versions have the same id and a later update time. */
export const readCycle = summaryReader(CYCLE, (item, reading) => {
  const { pregnancySnapshot: pregnancy } = item;
  const date = dateOf(item.periodStartDate) ?? dateOf(pregnancy?.pregnancyCycleStartDate);
  if (date === undefined) {
    reading.tally.reject(reading.index, 'periodStartDate', 'missing');
    return undefined;
  }
  const startMs = Date.parse(`${date}T00:00:00Z`);
  const days = lengthOf(item) ?? (pregnancy === undefined ? USUAL_CYCLE_DAYS : PREGNANCY_DAYS);
  const due = readPayload(PREGNANCY, pregnancy ?? {}, (field) => faultOf(reading)(`pregnancySnapshot.${field}`));
  const dueDate = dateOf(due.dueDate);
  const dueMs = dueDate === undefined ? Number.NaN : Date.parse(`${dueDate}T00:00:00Z`);
  const endMs = dueMs > startMs ? dueMs : startMs + days * MS_PER_DAY;
  const externalId = idOf(item.summaryId) ?? `mct-${date}`;
  const updatedMs = msOf(item.lastUpdatedTimeInSeconds);
  return {
    records: [
      {
        kind: 'menstrual_cycle',
        source: GARMIN_SOURCE,
        externalId,
        startMs,
        endMs,
        details: detailsOf(item, pregnancy),
      },
    ],
    span: { startMs, endMs },
    key: externalId,
    ...(updatedMs !== undefined && { version: updatedMs }),
  };
});

function lengthOf({ cycleLength, predictedCycleLength }: Cycle): number | undefined {
  return [cycleLength, predictedCycleLength].find((days) => days !== undefined && days > 0);
}

function detailsOf(item: Cycle, pregnancy: PayloadObject | undefined): Record<string, unknown> {
  const details: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(DETAILS)) {
    if (item[member] !== undefined) details[name] = item[member];
  }
  const phase = textOf(item.currentPhaseType);
  if (phase !== undefined) details.current_phase_type = phase;
  const updatedMs = msOf(item.lastUpdatedTimeInSeconds);
  if (updatedMs !== undefined) details.last_updated_at = new Date(updatedMs).toISOString();
  if (pregnancy !== undefined) details.pregnancy_snapshot = [pregnancy];
  return details;
}
