import { giveUpType } from '../../runs/index.js';
import { endRun } from './end-run.js';
import { openLinkedRuns } from './linked-runs.js';
import { type OpenRun, postpone } from './open-runs.js';
import type { DeferredType, PullContext } from './pull-context.js';
import type { PullServices } from './pull-services.js';

/** Only what the vendor did not give in this turn is left of the run. */
export async function endOrPutOff(services: PullServices, run: OpenRun, context: PullContext): Promise<void> {
  const { pool } = services;
  const spent = [...context.deferred].filter(([, { limit }]) => run.failures >= limit).map(([dataType]) => dataType);
  for (const dataType of spent) await giveUpType(pool, run.runId, dataType);
  const waiting = [...context.deferred].flatMap(([dataType, one]) => (spent.includes(dataType) ? [] : [one]));
  context.deferred.clear();
  const longest = waiting.toSorted((a, b) => b.waitMs - a.waitMs)[0];
  if (!longest) return endRun(services, run);
  const [kinds, be] =
    waiting.length === 1 ? ['One kind of data', 'it is'] : [`${waiting.length} kinds of data`, 'they are'];
  const limit = Math.max(...waiting.map((one) => one.limit));
  return reportPostponed(services, run, { ...longest, limit }, `${kinds} could not be read yet; ${be} tried again.`);
}

/** Puts a run off, and says so in it and in the runs of other users that it feeds. */
export async function reportPostponed(
  services: PullServices,
  run: OpenRun,
  { waitMs, limit, code }: DeferredType,
  message: string,
): Promise<void> {
  const at = new Date(services.now().getTime() + waitMs);
  await postpone(services.pool, run.runId, at);
  // The first attempt is none of those that were postponed.
  await reportNextTry(services, run, { reason: code, attempt: run.failures + 2, maxAttempts: limit + 1, at }, message);
}

/** Says in a run, and in the runs of other users that it feeds, when it is tried again. */
export async function reportNextTry(
  { pool, runs }: PullServices,
  run: OpenRun,
  nextTry: { reason: string; attempt: number; maxAttempts?: number; at: Date },
  message: string,
): Promise<void> {
  for (const { runId } of await openLinkedRuns(pool, run.runId)) {
    await runs.move(runId, 'started', { message, nextTry });
  }
  await runs.move(run.runId, 'started', { message, nextTry });
}
