import type { HealthScoreRecord } from '@healthd/model';
import { z } from 'zod';
import type { DeliveredRecords, Tally } from '../../cloud/index.js';
import type { PayloadOf } from '../../payload/index.js';
import { type WatchSample, watchSample } from './sample.js';
import { SUUNTO_SOURCE } from './source.js';

/** Balance of the body's resources: a fraction of 0..1, and a state number. */
const RECOVERY = z.object({ Balance: z.number(), StressState: z.number() });

/** Id prefix of resource scores. */
const RECOVERY_SCORES = 'recovery/';
const NO_STATE = 0;
/** Names of states by the vendor's number. */
const STATES: Readonly<Record<number, string>> = { 1: 'Relaxing', 2: 'Active', 3: 'Passive', 4: 'Stressful' };

/** Returns the balance of the body's resources at one time. Empty if the record has no time or no balance. */
export function recoveryRecords(record: unknown, tally: Tally): HealthScoreRecord[] {
  const sample = watchSample(RECOVERY, record, tally);
  return sample ? scoresOf(sample, tally) : [];
}

/** Returns the records of a notification. */
export function deliveredRecovery(record: unknown, tally: Tally): DeliveredRecords | undefined {
  const sample = watchSample(RECOVERY, record, tally);
  return sample && { records: scoresOf(sample, tally), span: { startMs: sample.atMs, endMs: sample.atMs } };
}

function scoresOf(
  { index, atMs, offsetMinutes, data }: WatchSample<PayloadOf<typeof RECOVERY>>,
  tally: Tally,
): HealthScoreRecord[] {
  const { Balance: balance, StressState: state } = data;
  if (balance === undefined) {
    tally.noValue++;
    return [];
  }
  if (balance < 0 || balance > 1) {
    tally.reject(index, 'Balance', 'implausible', 'recovery 0..1');
    return [];
  }
  const qualifier = state === undefined ? undefined : STATES[state];
  if (state !== undefined && state !== NO_STATE && qualifier === undefined)
    tally.rejectUnreadable(index, 'StressState');
  return [
    {
      kind: 'health_score',
      source: SUUNTO_SOURCE,
      externalId: `${RECOVERY_SCORES}${new Date(atMs).toISOString()}`,
      category: 'recovery',
      // Rounds the percentage to two decimals, without floating-point noise.
      value: Math.round(balance * 10_000) / 100,
      atMs,
      offsetMinutes,
      ...(qualifier !== undefined && { qualifier, components: { stress_state: { value: state ?? null, qualifier } } }),
    },
  ];
}
