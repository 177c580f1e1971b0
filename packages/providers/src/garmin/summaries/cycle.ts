import { MS_PER_DAY } from '@healthd/model';
import { idOf, isObject, numberOf, type PayloadObject, textOf } from '../../payload/index.js';
import { dateOf, msOf } from './place.js';
import type { SummaryReader } from './reading.js';
import { GARMIN_SOURCE } from './source.js';

/** Length of a cycle, and of a pregnancy from its first day, where the vendor says neither. */
const USUAL_CYCLE_DAYS = 28;
const PREGNANCY_DAYS = 280;

const COUNTS: Readonly<Record<string, string>> = {
  day_in_cycle: 'dayInCycle',
  current_phase: 'currentPhase',
  length_of_current_phase: 'lengthOfCurrentPhase',
  days_until_next_phase: 'daysUntilNextPhase',
  predicted_cycle_length: 'predictedCycleLength',
  cycle_length: 'cycleLength',
  period_length: 'periodLength',
  fertile_window_start: 'fertileWindowStart',
  length_of_fertile_window: 'lengthOfFertileWindow',
};
const FLAGS: Readonly<Record<string, string>> = {
  is_predicted_cycle: 'isPredictedCycle',
  has_specified_cycle_length: 'hasSpecifiedCycleLength',
  has_specified_period_length: 'hasSpecifiedPeriodLength',
};

/** Fields of a cycle, by their names in the contract, in its order. */
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

/**
 * A cycle, or a pregnancy. Its phase changes daily while the cycle stays: later versions have the same id and a later time of
 * the update.
 */
export const readCycle: SummaryReader = (item, { tally, index }) => {
  const pregnancy = isObject(item.pregnancySnapshot) ? item.pregnancySnapshot : undefined;
  const date = dateOf(item.periodStartDate) ?? dateOf(pregnancy?.pregnancyCycleStartDate);
  if (date === undefined) {
    tally.reject(index, 'periodStartDate', 'missing');
    return undefined;
  }
  const startMs = Date.parse(`${date}T00:00:00Z`);
  const days = lengthOf(item) ?? (pregnancy === undefined ? USUAL_CYCLE_DAYS : PREGNANCY_DAYS);
  const dueDate = dateOf(pregnancy?.dueDate);
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
};

function lengthOf(item: PayloadObject): number | undefined {
  return [item.cycleLength, item.predictedCycleLength].map(numberOf).find((days) => days !== undefined && days > 0);
}

function detailsOf(item: PayloadObject, pregnancy: PayloadObject | undefined): Record<string, unknown> {
  const details: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(COUNTS)) {
    const value = numberOf(item[member]);
    if (value !== undefined) details[name] = value;
  }
  for (const [name, member] of Object.entries(FLAGS)) {
    if (typeof item[member] === 'boolean') details[name] = item[member];
  }
  const phase = textOf(item.currentPhaseType);
  if (phase !== undefined) details.current_phase_type = phase;
  const updatedMs = msOf(item.lastUpdatedTimeInSeconds);
  if (updatedMs !== undefined) details.last_updated_at = new Date(updatedMs).toISOString();
  if (pregnancy !== undefined) details.pregnancy_snapshot = [pregnancy];
  return details;
}
