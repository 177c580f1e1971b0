import { VendorError } from '@healthd/providers';
import type { PullBlocker } from '../../connections/index.js';
import { nextRange } from '../../runs/index.js';
import { endRun } from './end-run.js';
import { handleVendorFailure, hindered } from './handle-vendor-failure.js';
import type { OpenRun } from './open-runs.js';
import { planRun } from './plan-run.js';
import { endOrPutOff } from './postpone-run.js';
import type { PullContext } from './pull-context.js';
import type { PullServices } from './pull-services.js';
import type { PullTurn } from './pull-turn.js';
import { readNextWindow } from './read-next-window.js';

/** Reads and stores the next window of a run, or ends it, or puts it off. */
export async function advanceRun(
  services: PullServices,
  turn: PullTurn,
  run: OpenRun,
  signal: AbortSignal,
): Promise<void> {
  let context: PullContext | PullBlocker;
  try {
    context = await turn.contextOf(run);
  } catch (error) {
    if (error instanceof VendorError) return handleVendorFailure(services, turn, run, undefined, error);
    throw error;
  }
  if (typeof context === 'string') return hindered(services, run, context);
  if (run.isNew) await planRun(services, run, context);

  const order = context.adapter.dataTypes.map(({ id }) => id);
  const range = await nextRange(services.pool, run.runId, { order, deferred: context.deferred.keys() });
  if (range) return readNextWindow(services, turn, run, context, range, signal);
  if (context.deferred.size === 0) return endRun(services, run);
  return endOrPutOff(services, run, context);
}
