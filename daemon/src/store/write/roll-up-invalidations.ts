import { MS_PER_DAY } from '@healthd/model';
import type pg from 'pg';
import { type CompleteDays, rangeOf, refreshDays } from '../derived/days/day-refresh.js';
import { forgetMergedDays } from '../derived/merged/merged-store.js';
import { NIGHT_TYPE_IDS, refreshNights, wakeDatesAround } from '../derived/nights/night-value.js';
import { TouchedDays } from '../facts/dirty-days.js';
import { loadTimeline } from '../facts/offsets/offset-days.js';
import { OffsetTimeline } from '../facts/offsets/offset-timeline.js';
import { SampleExtremes } from '../facts/samples/sample-extremes.js';

/** What a stored batch leaves to be brought up to date. */
export interface StaleRollUps {
  touched: TouchedDays;
  /** Wake dates of nights whose sessions changed. */
  nights: ReadonlySet<string>;
  timeline: OffsetTimeline;
  complete: CompleteDays | undefined;
}

/**
 * Brings the days and nights up to date that batches of one user touched, each once: phones send a day in pieces, and
 * every refresh of a day reads what was stored of it before.
 */
export async function refreshRollUps(
  client: pg.ClientBase,
  userKey: number,
  stale: readonly StaleRollUps[],
): Promise<void> {
  const { all, several } = gather(stale);
  const range = rangeOf(all);
  const extremes = range && (await SampleExtremes.loadCurrent(client, userKey, range));
  const known = { timeline: await lastTimeline(client, userKey, stale, all), extremes };
  for (const { touched, complete } of stale) {
    await refreshDays(client, userKey, known, without(touched, several), complete && ownDays(complete, several));
  }
  await refreshDays(client, userKey, known, several);
  await forgetMergedDays(client, userKey, all);
  const nights = new Set(stale.flatMap((one) => [...one.nights]));
  await refreshNights(client, userKey, nights);
  const sampled = [...wakeDatesAround(all)].filter((date) => !nights.has(date));
  await refreshNights(
    client,
    userKey,
    sampled,
    NIGHT_TYPE_IDS.filter((typeId) => all.daysOf(typeId).length > 0),
  );
}

/** What the last batch made of the offsets: it holds for the samples of the earlier ones too. */
async function lastTimeline(
  client: pg.ClientBase,
  userKey: number,
  stale: readonly StaleRollUps[],
  touched: TouchedDays,
): Promise<OffsetTimeline> {
  const [only] = stale;
  if (only && stale.length === 1) return only.timeline;
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const day of touched.allDays) {
    first = Math.min(first, day);
    last = Math.max(last, day);
  }
  if (first > last) return new OffsetTimeline();
  return loadTimeline(client, userKey, first * MS_PER_DAY, (last + 1) * MS_PER_DAY);
}

/** All touched days, and those that more than one batch touched. */
function gather(stale: readonly StaleRollUps[]): { all: TouchedDays; several: TouchedDays } {
  const several = new TouchedDays();
  const [only] = stale;
  if (only && stale.length === 1) return { all: only.touched, several };
  const all = new TouchedDays();
  for (const { touched } of stale) {
    for (const { typeId, sourceId, day } of touched.entries()) {
      if (all.has(typeId, sourceId, day)) several.add(typeId, sourceId, day);
      else all.add(typeId, sourceId, day);
    }
  }
  return { all, several };
}

function without(days: TouchedDays, others: TouchedDays): TouchedDays {
  if (others.typeIds.length === 0) return days;
  const left = new TouchedDays();
  for (const { typeId, sourceId, day } of days.entries()) {
    if (!others.has(typeId, sourceId, day)) left.add(typeId, sourceId, day);
  }
  return left;
}

function ownDays(complete: CompleteDays, several: TouchedDays): CompleteDays {
  return { ...complete, days: without(complete.days, several) };
}
