import { dayNumber, fromDayNumber, MAX_OFFSET_MS, MERGED_TYPE_IDS, MS_PER_DAY, SAMPLE_KIND_CODE } from '@healthd/model';
import type pg from 'pg';
import { sampleKind } from '../../platform/database/index.js';
import { Turns } from '../../platform/turns.js';
import { HEART_RATE_TYPE_ID, heartRateMinutesOf, STEPS_TYPE_ID, stepMinutesOf } from '../derived/days/day-minutes.js';
import { type DaySamples, splitIntoDays } from '../derived/days/day-samples.js';
import { coveredMinutesOf, dayValueOf } from '../derived/days/day-value.js';
import { instantsOf } from '../derived/days/planned-reads.js';
import { countSamples, crossesMidnight } from '../derived/merged/counted-samples.js';
import { loadMergeContext, type MergeContext } from '../derived/merged/merge-context.js';
import { type MergeQuery, readFacts, SourceDays } from '../derived/merged/merge-sources.js';
import { mergeDays } from '../derived/merged/merged-days.js';
import { cacheMergedTotals } from '../derived/merged/merged-store.js';
import { type ArchivedDay, ArchivedDays } from '../facts/archived/archived-day.js';
import { storeArchivedDays } from '../facts/archived/archived-day-store.js';
import { type ArchivedAmount, addArchivedAmounts, lastArchivedDay } from '../facts/archived/merged-archive.js';
import { CHANGE } from '../facts/change.js';
import { changesOf } from '../facts/changes.js';
import { MinuteSet } from '../facts/archived/minute-set.js';
import { loadArchivedBefore, storeArchivedMinutes } from '../facts/archived/minute-store.js';
import type { OffsetTimeline } from '../facts/offsets/offset-timeline.js';
import { SampleExtremes } from '../facts/samples/sample-extremes.js';
import { readSamples } from '../facts/samples/sample-reader.js';
import { localDayOf, type SampleRows } from '../facts/samples/sample-rows.js';
import { removeOrphanedExtremes } from '../facts/samples/stored-extremes.js';
import { oldWindow } from './old-window.js';
import { archivableSources, PENDING_DAYS } from './never-archived.js';
import { removeArchived } from './sample-removal.js';

/** Number of local days of one series that one transaction archives. Limits memory and how long writers wait. */
const WINDOW_DAYS = 8;
/**
 * Number of days after the archived days. The archived samples may affect the merged totals of these days, because the
 * local times of two sources may differ by up to 26 hours.
 */
const FOLLOWING_DAYS = 2;
/** Minimum difference between amounts. Smaller differences are rounding errors. */
const SMALLEST_AMOUNT = 1e-9;

export interface ArchiveQuery {
  typeId: number;
  /** Local days before this one are archived. */
  beforeDay: number;
  /** Orders sources of one account; lower wins. */
  compare: MergeQuery['compare'];
  /** Identifies the priorities that `compare` uses. */
  deviceOrder: number;
  /** Providers whose cloud data is never archived. */
  neverArchived?: readonly string[] | undefined;
  /** Local day at which the previous window ended. Only needed if some data is never archived. */
  fromDay?: number | undefined;
}

/** Result of one window. */
export interface ArchivedWindow {
  /** Number of removed samples. */
  removed: number;
  /** True if anything was written. */
  changed: boolean;
  /** True if no day before `beforeDay` is left to archive. */
  done: boolean;
  /** Last local day of the window. */
  lastDay?: number;
}

/**
 * Archives the oldest days of one series with samples: stores their totals and removes the samples. Roll-ups do not
 * change, because they equal the stored totals plus the remaining samples. The user's row must be locked.
 */
export async function archiveWindow(
  client: pg.ClientBase,
  userKey: number,
  { typeId, beforeDay, compare, deviceOrder, neverArchived = [], fromDay }: ArchiveQuery,
): Promise<ArchivedWindow> {
  const isMerged = MERGED_TYPE_IDS.includes(typeId);
  const archivable = await archivableSources(client, userKey, neverArchived);
  const oldestMs = archivable
    ? await oldestDayStart(client, userKey, typeId, { beforeDay, fromDay, archivable })
    : await oldestStart(client, userKey, typeId, beforeDay);
  if (oldestMs === undefined) return { removed: 0, changed: false, done: true };
  const counted = isMerged ? await lastArchivedDay(client, userKey, typeId) : undefined;
  const window = { beforeDay, days: WINDOW_DAYS };
  const { firstDay, isLast: done, timeline, ...whole } = await oldWindow(client, userKey, oldestMs, window);
  // Ends the window a day earlier if it would end right before the last archived day. Otherwise intervals that cross
  // midnight could add amounts to that day. These amounts must not change, because they show which accounts are
  // archived up to that day.
  const lastDay = whole.lastDay + 1 === counted?.day ? whole.lastDay - 1 : whole.lastDay;
  if (lastDay < firstDay) return { removed: 0, changed: false, done: true };

  const rows = await readSamples(client, userKey, [
    { typeId, ...(archivable && { sourceIds: archivable }), ...instantsOf(firstDay, lastDay, timeline) },
  ]);
  // Keeps the last day's intervals that cross midnight until the next day is archived too. Until then, new data of the
  // next day may move the part after midnight to that day.
  const storedDay = isMerged && (counted === undefined || lastDay >= counted.day) ? lastDay : undefined;
  const isOld = (row: number) =>
    rows.kind[row] === SAMPLE_KIND_CODE.sample && localDayOf(rows, row, timeline) <= lastDay;
  const old = Array.from({ length: rows.length }, (_, row) => row).filter(isOld);
  const isKept = (row: number) =>
    storedDay !== undefined && localDayOf(rows, row, timeline) === storedDay && crossesMidnight(rows, row, timeline);
  const positions = old.filter((row) => !isKept(row));

  const isCounted = storedDay === undefined || storedDay === counted?.day;
  if (positions.length === 0 && (isCounted || old.length === 0)) return { removed: 0, changed: false, done, lastDay };

  if (isMerged) {
    const query = { typeIds: [typeId], firstDay, lastDay, compare };
    const context = { timeline, archivedBefore: await loadArchivedBefore(client, userKey) };
    const amounts = await mergedAmounts(client, userKey, query, context, { storedDay, deviceOrder, archivable });
    if (archivable && counted && storedDay !== undefined && storedDay > counted.day) {
      const half = counted.sourceIds.filter((sourceId) => !archivable.includes(sourceId));
      amounts.push(...(await halfArchivedAmounts(client, userKey, { typeId, day: counted.day, compare }, half)));
    }
    await addArchivedAmounts(client, userKey, amounts);
  }
  if (positions.length === 0) return { removed: 0, changed: true, done, lastDay };
  const kept = await ArchivedDays.load(client, userKey, { typeIds: [typeId], firstDay, lastDay });
  const extremes = await SampleExtremes.load(client, userKey, { typeIds: [typeId], firstDay, lastDay });
  const days = await new Turns().run(archivedDays(rows, { old, positions }, timeline, kept, extremes));
  await storeArchivedDays(client, userKey, days);
  const changes = changesOf(client, userKey);
  for (const { day } of days) changes.addSamples(typeId, day, CHANGE.archived);
  const minutes = new MinuteSet();
  for (const row of positions) {
    minutes.add(typeId, rows.sourceId[row] as number, rows.startMs[row] as number, rows.durationMs[row] as number);
  }
  await storeArchivedMinutes(client, userKey, minutes);
  const removed = await removeArchived(client, userKey, typeId, { rows, positions, firstDay, lastDay });
  await removeOrphanedExtremes(client, userKey, { typeIds: [typeId], firstDay, lastDay });
  return { removed, changed: true, done, lastDay };
}

/** Returns the earliest start of a sample that may be on a local day before `beforeDay`. */
async function oldestStart(
  client: pg.ClientBase,
  userKey: number,
  typeId: number,
  beforeDay: number,
): Promise<number | undefined> {
  const { rows } = await client.query<{ start_ms: number }>({
    name: 'records-oldest-sample',
    text: `select extract(epoch from start_at)::float8 * 1000 as start_ms from sample
            where user_key = $1 and type_id = $2 and ${sampleKind()} = 0 and start_at < to_timestamp($3::float8 / 1000)
            order by start_at limit 1`,
    values: [userKey, typeId, beforeDay * MS_PER_DAY + MAX_OFFSET_MS],
  });
  return rows[0] && Math.round(rows[0].start_ms);
}

/** Returns the start of the first local day, from `fromDay` on, with samples that may be archived. */
async function oldestDayStart(
  client: pg.ClientBase,
  userKey: number,
  typeId: number,
  { beforeDay, fromDay, archivable }: Pick<ArchiveQuery, 'beforeDay' | 'fromDay'> & { archivable: readonly number[] },
): Promise<number | undefined> {
  const from = fromDay === undefined ? null : fromDayNumber(fromDay);
  const { rows } = await client.query<{ date: string }>({
    name: 'records-oldest-archivable',
    text: `${PENDING_DAYS} order by v.local_date limit 1`,
    values: [userKey, [typeId], fromDayNumber(beforeDay), archivable, from],
  });
  return rows[0] && (dayNumber(rows[0].date) as number) * MS_PER_DAY;
}

/** Returns each day's totals: the previously stored totals plus the samples at `positions`. */
function* archivedDays(
  rows: SampleRows,
  { old, positions }: { old: number[]; positions: number[] },
  timeline: OffsetTimeline,
  kept: ArchivedDays,
  extremes: SampleExtremes | undefined,
): Generator<void, ArchivedDay[]> {
  const whole = new Map<string, DaySamples>();
  for (const one of yield* splitIntoDays(rows, old, timeline, () => true)) whole.set(`${one.sourceId} ${one.day}`, one);
  const split = yield* splitIntoDays(rows, positions, timeline, () => true);
  return split.map((samples): ArchivedDay => {
    const { typeId, sourceId, day } = samples;
    const before = kept.get(samples);
    const value = dayValueOf(samples, before, extremes);
    const all = whole.get(`${sourceId} ${day}`) as DaySamples;
    return {
      typeId,
      sourceId,
      day,
      sampleSum: value.sampleSum as number,
      sampleMin: value.sampleMin as number,
      sampleMax: value.sampleMax as number,
      lastValue: value.lastValue as number,
      lastMs: value.lastMs as number,
      sampleCount: value.sampleCount,
      minutes: coveredMinutesOf(samples, before),
      heartRate: typeId === HEART_RATE_TYPE_ID ? heartRateMinutesOf(samples, before) : undefined,
      // Uses all samples: a minute that a removed and a remaining sample fill together must stay active.
      activeMinutes: typeId === STEPS_TYPE_ID ? stepMinutesOf(all, before)?.active : undefined,
    };
  });
}

/**
 * Returns the contributions of the days' samples to the daily totals over each account's sources. Also stores the
 * totals, including totals of the following days that the samples affect, so that responses do not change.
 */
async function mergedAmounts(
  client: pg.ClientBase,
  userKey: number,
  query: Omit<MergeQuery, 'provider' | 'account'>,
  context: MergeContext,
  {
    storedDay,
    deviceOrder,
    archivable,
  }: { storedDay: number | undefined; deviceOrder: number; archivable: readonly number[] | undefined },
): Promise<ArchivedAmount[]> {
  const typeId = query.typeIds[0] as number;
  const { rows: accounts } = await client.query<Pick<MergeQuery, 'provider' | 'account'>>(
    `select distinct provider, account from data_source
      where user_key = $1 and ($2::int[] is null or source_id = any ($2)) order by provider, account`,
    [userKey, archivable ?? null],
  );
  const amounts = new Map<string, ArchivedAmount>();
  for (const account of accounts) {
    const days = new SourceDays(await readFacts(client, userKey, { ...query, ...account }));
    if (days.sourceIds.length === 0) continue;
    const following = { ...query, ...account, lastDay: query.lastDay + FOLLOWING_DAYS };
    const totals = await mergeDays(client, userKey, following, context);
    await cacheMergedTotals(client, userKey, account, totals, deviceOrder);
    const { rows, parts } = await countSamples(client, userKey, typeId, days, { ...query, ...account }, context, {
      storedDay,
    });
    for (const { row, day, sourceId, amount } of parts) {
      if (row === undefined || localDayOf(rows, row, context.timeline) > query.lastDay) continue;
      const key = `${day} ${sourceId}`;
      const known = amounts.get(key);
      if (known) known.amount += amount;
      else amounts.set(key, { typeId, sourceId, day, amount });
    }
  }
  return [...amounts.values()];
}

/**
 * Returns corrections that subtract the archived part of some intervals from the totals. These intervals were archived
 * up to midnight, but their samples are retained now, because the vendor forbids archiving. They count completely again
 * once a later day is the last archived day.
 */
async function halfArchivedAmounts(
  client: pg.ClientBase,
  userKey: number,
  { typeId, day, compare }: { typeId: number; day: number; compare: MergeQuery['compare'] },
  sourceIds: readonly number[],
): Promise<ArchivedAmount[]> {
  if (sourceIds.length === 0) return [];
  const { rows: accounts } = await client.query<Pick<MergeQuery, 'provider' | 'account'>>(
    'select distinct provider, account from data_source where user_key = $1 and source_id = any ($2::int[])',
    [userKey, sourceIds],
  );
  const amounts = new Map<string, ArchivedAmount>();
  for (const account of accounts) {
    const query = { ...account, typeIds: [typeId], firstDay: day, lastDay: day, compare };
    const context = await loadMergeContext(client, userKey, query);
    const days = new SourceDays(await readFacts(client, userKey, query));
    for (const areWhole of [false, true]) {
      const { parts } = await countSamples(client, userKey, typeId, days, query, context, { areWhole });
      for (const { day: onDay, sourceId, amount } of parts) {
        const key = `${onDay} ${sourceId}`;
        const known = amounts.get(key) ?? { typeId, sourceId, day: onDay, amount: 0 };
        amounts.set(key, { ...known, amount: known.amount + (areWhole ? -amount : amount) });
      }
    }
  }
  return [...amounts.values()].filter(({ amount }) => Math.abs(amount) > SMALLEST_AMOUNT);
}
