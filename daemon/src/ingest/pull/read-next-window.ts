import { batchOf, MS_PER_MINUTE, RejectionTally } from '@healthd/model';
import { type PullDataType, type ReadWindow, VendorError } from '@healthd/providers';
import { isGranted } from '../../connections/index.js';
import { endOpenRanges, type RunRange } from '../../runs/index.js';
import { cancelRun } from './end-run.js';
import { deliveredPortions, type StoredWindow } from './guarded-window.js';
import { handleVendorFailure } from './handle-vendor-failure.js';
import { linkedRunOf } from './linked-runs.js';
import { type OpenRun, resumeNow } from './open-runs.js';
import type { PullContext } from './pull-context.js';
import type { PullServices } from './pull-services.js';
import type { PullTurn } from './pull-turn.js';
import { storeLinkedWindow, storeWindow } from './store-window.js';
import { withRoom } from './with-room.js';

/** Each reading that a delivery makes outdated is spent in vain, and quotas are small. */
const OUTDATED_IN_A_ROW = 3;
const OUTDATED_WAIT_MS = 5 * MS_PER_MINUTE;
const OUTDATED_LIMIT = 12;

/** Reads the newest window of a range that is not stored yet, and stores it. */
export async function readNextWindow(
  services: PullServices,
  turn: PullTurn,
  run: OpenRun,
  context: PullContext,
  range: RunRange,
  signal: AbortSignal,
): Promise<void> {
  const { adapter, mode, account } = context;
  const type = adapter.dataTypes.find(({ id }) => id === range.dataType);
  if (!type) {
    const unknown = { outcome: 'skipped', error: 'unknown_type', dataTypes: [range.dataType] } as const;
    return endOpenRanges(services.pool, run.runId, unknown);
  }
  const [newest] = adapter.windows(type.id, { startMs: range.fromMs, endMs: range.doneFromMs }, mode, account);
  const window = newest && newest.startMs < range.doneFromMs ? newest : undefined;
  try {
    const delivered = await deliveredPortions(services.pool, [context.connection, ...context.linked]);
    const { doneItem, items } = range;
    const read = window ? await readWindow(context, type, { ...window, doneItem, items }) : nothing(range);
    signal.throwIfAborted();
    const isNext = read.doneFromMs < range.doneFromMs || (read.doneItem !== undefined && read.doneItem !== doneItem);
    // A vendor that takes only ranges of nothing would be asked for ever.
    if (!isNext && range.fromMs < range.doneFromMs) {
      throw new VendorError({ code: 'invalid_answer', reason: 'range_too_short' });
    }
    await store(services, run, context, { type, range, ...read, delivered });
  } catch (error) {
    if (error instanceof VendorError) return handleVendorFailure(services, turn, run, { context, type }, error);
    throw error;
  }
}

/** What the window holds, and the part of it that was read: a vendor may refuse a range that is too long. */
async function readWindow(
  context: PullContext,
  type: PullDataType,
  window: ReadWindow,
): Promise<Pick<StoredWindow, 'reading' | 'doneFromMs' | 'doneItem'>> {
  const { adapter, api, mode, account, longestMs } = context;
  const read = async (part: ReadWindow) => {
    const reading = await withRoom(api, (counted) => adapter.read(counted, type.id, part, mode, account));
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

/** The adapter has no window for what is left of a range. */
function nothing({ fromMs }: RunRange): Pick<StoredWindow, 'reading' | 'doneFromMs' | 'doneItem'> {
  const rejections = new RejectionTally().report;
  const reading = { batch: batchOf([]), rejections, received: 0, noValue: 0, superseded: 0 };
  return { reading, doneFromMs: fromMs, doneItem: undefined };
}

/**
 * The other users of the account first: the run's own progress then says that all have it. Each is given what that person
 * consented to. Nothing moves on where the answer is outdated, so that the window is the next to be read again.
 */
async function store(services: PullServices, run: OpenRun, context: PullContext, window: StoredWindow): Promise<void> {
  const { connection } = context;
  for (const linked of context.linked) {
    if (!isGranted(window.type.scopes, linked.grantedScopes)) continue;
    const linkedRunId = await linkedRunOf(services, run, connection, linked);
    const result = await storeLinkedWindow(services, run, linkedRunId, linked, window);
    if (result === 'outdated') return readAgain(context, window.type);
  }
  const result = await storeWindow(services, run, connection, window, context);
  if (result === 'outdated') return readAgain(context, window.type);
  context.outdated.delete(window.type.id);
  if (result === 'gone') return cancelRun(services, run, 'The run or its connection was ended meanwhile.');
  if (connection.accountState === 'linked') return;
  await services.connections.markAccountState(connection, 'linked');
  await resumeNow(services.pool, connection.id, services.now());
  context.connection = { ...connection, accountState: 'linked' };
}

/** At once, unless deliveries come faster than the vendor answers: then when the other kinds of data are read. */
function readAgain({ outdated, deferred }: PullContext, { id }: PullDataType): void {
  const times = (outdated.get(id) ?? 0) + 1;
  outdated.set(id, times);
  if (times < OUTDATED_IN_A_ROW) return;
  outdated.delete(id);
  deferred.set(id, { waitMs: OUTDATED_WAIT_MS, limit: OUTDATED_LIMIT, code: 'delivered_meanwhile' });
}
