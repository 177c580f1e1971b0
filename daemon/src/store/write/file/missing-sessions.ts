import type pg from 'pg';
import { inTransaction, lockUser } from '../../../platform/database/index.js';
import { CHANGE } from '../../facts/change.js';
import { changesOf } from '../../facts/changes.js';
import { DirtyDays } from '../../facts/dirty-days.js';
import { reassemble } from '../plan-sleep.js';
import { forgetComparisons, loadSources } from '../../facts/sources/source-rows.js';
import type { WriteContext } from '../../facts/write-context.js';
import { loadContext } from '../load-context.js';
import { refreshRollUps } from '../roll-up-invalidations.js';
import { removeReadings, storedWorkout } from '../workout-readings.js';
import { SLEEP_STAGES, WORKOUT_SERIES } from './change-counts.js';
import type { FileContents } from './file-contents.js';
import type { MissingSpan, Removing } from './missing-samples.js';
import { type Missing, type MissingRow, chunksOf, remove } from './missing-session-rows.js';

/**
 * Does the same as `removeMissingSamples` for workouts without ids that were not pushed and for sleep stages that only
 * files contain. Reassembles nights from the remaining stages.
 */
export async function removeMissingSessions(
  pool: pg.Pool,
  contents: FileContents,
  span: MissingSpan,
  removing: Removing,
): Promise<void> {
  await removeMissingStages(pool, contents, span, removing);
  await removeMissingWorkouts(pool, contents, span, removing);
}

async function removeMissingStages(
  pool: pg.Pool,
  contents: FileContents,
  span: MissingSpan,
  removing: Removing,
): Promise<void> {
  const missing = {
    table: 'sleep_stage' as const,
    variant: 's.stage',
    ofFile: 's.from_file',
    isStage: true,
    sourceIds: contents.sleepSources,
  };
  await removeInBatches(pool, contents, span, missing, removing, SLEEP_STAGES, async (context, rows) => {
    const changed = rows.map(({ sourceId, startMs, endMs }) => ({ sourceId, fromMs: startMs, toMs: endMs }));
    const wakeDates = await reassemble(context, changed, CHANGE.replaced);
    await refreshRollUps(context, [{ dirtyDays: new DirtyDays(), nights: wakeDates }]);
  });
}

async function removeMissingWorkouts(
  pool: pg.Pool,
  contents: FileContents,
  span: MissingSpan,
  removing: Removing,
): Promise<void> {
  const missing = {
    table: 'workout' as const,
    variant: 's.type',
    ofFile: 's.external_id is null and s.pushed is not true',
    isStage: false,
    sourceIds: contents.workoutSources,
  };
  await removeInBatches(pool, contents, span, missing, removing, WORKOUT_SERIES, async (context, rows) => {
    const sources = await loadSources(context.client, context.userKey);
    const workouts = rows.map(({ variant, ...row }) => storedWorkout({ ...row, type: variant, externalId: null }));
    const days = await removeReadings({ ...context, sources }, workouts, CHANGE.replaced);
    await refreshRollUps(context, [{ dirtyDays: days, nights: new Set() }]);
  });
}

async function removeInBatches(
  pool: pg.Pool,
  contents: FileContents,
  span: MissingSpan,
  missing: Missing,
  { isDryRun, changes, signal, runId }: Removing,
  series: string,
  refresh: (context: WriteContext, removed: MissingRow[]) => Promise<void>,
): Promise<void> {
  for await (const portion of chunksOf(contents.client, span, missing)) {
    signal?.throwIfAborted();
    const contextOf = (client: pg.ClientBase, rows: readonly MissingRow[]) =>
      loadContext(client, span.userKey, span.sleepEndGapMinutes, spanOf(rows));
    const { gone, timeline } = isDryRun
      ? { gone: portion, ...(await contextOf(contents.client, portion)) }
      : await inTransaction(pool, async (client) => {
          await lockUser(client, span.userKey);
          changesOf(client, span.userKey).cameBy('import', runId);
          const removed = await remove(client, span.userKey, missing, portion);
          const context = await contextOf(client, removed);
          if (removed.length > 0) {
            await refresh(context, removed);
            await forgetComparisons(client, span.userKey);
          }
          return { gone: removed, ...context };
        });
    for (const { endMs, offsetMinutes } of gone) {
      changes.add(series, timeline.localDateOf(endMs, offsetMinutes ?? undefined), 'gone');
    }
  }
}

function spanOf(rows: readonly MissingRow[]): { fromMs: number; toMs: number } {
  let fromMs = Number.POSITIVE_INFINITY;
  let toMs = Number.NEGATIVE_INFINITY;
  for (const { startMs, endMs } of rows) {
    fromMs = Math.min(fromMs, startMs);
    toMs = Math.max(toMs, endMs);
  }
  return { fromMs, toMs };
}
