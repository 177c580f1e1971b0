import { batchOf, RejectionTally } from '@healthd/model';
import { OWN_QUOTA, type PullDataType, type ReadWindow, type VendorApi, VendorError } from '@healthd/providers';
import type { RunRange } from '../../runs/index.js';
import type { StoredWindow } from './guarded-window.js';
import type { PullContext } from './pull-context.js';

/**
 * Returns the window's data and the part of the window that was read. This part is shorter than the window if the
 * vendor rejected the range as too long.
 */
export async function readWindow(
  context: PullContext,
  type: PullDataType,
  window: ReadWindow,
): Promise<Pick<StoredWindow, 'reading' | 'doneFromMs' | 'doneItem'>> {
  const { adapter, api, mode, account, longestMs } = context;
  const read = async (part: ReadWindow) => {
    const reading = await withQuota(api, (counted) => adapter.read(counted, type.id, part, mode, account));
    return { reading, doneFromMs: reading.fromMs ?? part.startMs, doneItem: reading.fromItem };
  };
  const limit = longestMs.get(type.id);
  try {
    return await read(limit === undefined ? window : newestPart(window, limit));
  } catch (error) {
    const allowed = error instanceof VendorError && error.code === 'range_too_long' ? error.longestMs : undefined;
    if (allowed === undefined || allowed >= window.endMs - window.startMs || limit !== undefined) throw error;
    longestMs.set(type.id, allowed);
    return read(newestPart(window, allowed));
  }
}

function newestPart(window: ReadWindow, longestMs: number): ReadWindow {
  return { ...window, startMs: Math.max(window.startMs, window.endMs - longestMs) };
}

/** Returns an empty window, which completes a range if the adapter has no further window for it. */
export function emptyWindow({ fromMs }: RunRange): Pick<StoredWindow, 'reading' | 'doneFromMs' | 'doneItem'> {
  const rejections = new RejectionTally().report;
  const reading = { batch: batchOf([]), rejections, received: 0, noValue: 0, superseded: 0 };
  return { reading, doneFromMs: fromMs, doneItem: undefined };
}

/**
 * Runs the requests of one window, which must all fit into the quota. If the quota runs out in between, the retry waits
 * until all of them fit, because it sends the earlier requests again.
 */
export async function withQuota<T>(api: VendorApi, work: (api: VendorApi) => Promise<T>): Promise<T> {
  let requests = 0;
  const call: VendorApi['call'] = (request) => {
    requests += 1;
    return api.call(request);
  };
  try {
    return await work({ ...api, call });
  } catch (error) {
    if (!(error instanceof VendorError) || error.reason !== OWN_QUOTA || requests < 2) throw error;
    const { code, reason, retryAfterMs = 0, perRequestMs } = error;
    const before = (requests - 1) * (perRequestMs ?? retryAfterMs);
    throw new VendorError({
      code,
      reason,
      retryAfterMs: retryAfterMs + before,
      requestsToRepeat: requests - 1,
      ...(perRequestMs !== undefined && { perRequestMs }),
    });
  }
}
