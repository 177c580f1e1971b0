import { NIGHTLY_TYPE_IDS } from '@healthd/model';
import { type CompleteDays, rangeOf, refreshDays } from '../derived/days/day-refresh.js';
import { invalidateMergedTotals } from '../derived/merged/merged-store.js';
import { refreshNights, wakeDatesAround } from '../derived/nights/night-value.js';
import { changesOf, type UserChanges } from '../facts/changes.js';
import { DirtyDays } from '../facts/dirty-days.js';
import { SampleExtremes } from '../facts/samples/sample-extremes.js';
import type { WriteContext } from '../facts/write-context.js';

/** Roll-ups to update after a stored batch. */
export interface RollUpInvalidations {
  dirtyDays: DirtyDays;
  /** Wake dates of nights with changed sessions. */
  nights: ReadonlySet<string>;
  /** Days of samples whose ids change and whose values do not. They need no new roll-ups. */
  renamed?: DirtyDays;
  /** Days that can be computed without reading stored samples. */
  complete?: CompleteDays | undefined;
}

/**
 * Updates each affected day and night of one user's batches only once, because phones send a day in pieces and every
 * refresh rereads the whole day. Records the changed days of samples and summaries. The last batch's timeline also
 * applies to samples of earlier batches.
 */
export async function refreshRollUps(context: WriteContext, stale: readonly RollUpInvalidations[]): Promise<void> {
  const { client, userKey } = context;
  const { all, several } = gather(stale);
  const range = rangeOf(all);
  const extremes = range && context.hasExtremes ? await SampleExtremes.loadCurrent(client, userKey, range) : undefined;
  for (const { dirtyDays, complete } of stale) {
    await refreshDays(context, extremes, without(dirtyDays, several), complete && ownDays(complete, several));
  }
  await refreshDays(context, extremes, several);
  await invalidateMergedTotals(client, userKey, all);
  const nights = new Set(stale.flatMap((one) => [...one.nights]));
  const renamed = stale.flatMap((one) => one.renamed ?? []);
  addChanges(changesOf(client, userKey), [all, ...renamed]);
  await refreshNights(client, userKey, nights);
  const sampled = [...wakeDatesAround(all)].filter((date) => !nights.has(date));
  await refreshNights(
    client,
    userKey,
    sampled,
    NIGHTLY_TYPE_IDS.filter((typeId) => all.daysOf(typeId).length > 0),
  );
}

function addChanges(changes: UserChanges, parts: readonly DirtyDays[]): void {
  for (const days of parts) {
    for (const summary of ['activity', 'body'] as const) changes.addSummary(summary, days.allDays);
    for (const { typeId, day, change } of days.entries()) if (change !== 0) changes.addSamples(typeId, day, change);
  }
}

/** Returns all dirty days, and the days that several batches affect. */
function gather(stale: readonly RollUpInvalidations[]): { all: DirtyDays; several: DirtyDays } {
  const several = new DirtyDays();
  const [only] = stale;
  if (only && stale.length === 1) return { all: only.dirtyDays, several };
  const all = new DirtyDays();
  for (const { dirtyDays } of stale) {
    for (const { typeId, sourceId, day, change } of dirtyDays.entries()) {
      if (all.has(typeId, sourceId, day)) several.add(typeId, sourceId, day);
      all.add(typeId, sourceId, day, change);
    }
  }
  return { all, several };
}

function without(days: DirtyDays, others: DirtyDays): DirtyDays {
  if (others.typeIds.length === 0) return days;
  const left = new DirtyDays();
  for (const { typeId, sourceId, day } of days.entries()) {
    if (!others.has(typeId, sourceId, day)) left.add(typeId, sourceId, day);
  }
  return left;
}

function ownDays(complete: CompleteDays, several: DirtyDays): CompleteDays {
  return { ...complete, days: without(complete.days, several) };
}
