import { dayStartMs, localDayNumber, MS_PER_DAY, MS_PER_MINUTE, SAMPLE_KIND_CODE } from '@healthd/model';
import type pg from 'pg';
import { Turns } from '../../../platform/turns.js';
import { lastArchivedDay } from '../../facts/archived/merged-archive.js';
import { loadArchivedMinutes } from '../../facts/archived/minute-store.js';
import type { OffsetTimeline } from '../../facts/offsets/offset-timeline.js';
import { readSamples } from '../../facts/samples/sample-reader.js';
import { type SampleRange, type SampleRows, effectiveOffset } from '../../facts/samples/sample-rows.js';
import { instantsAround, type MergeContext } from './merge-context.js';
import { type Counted, countOnce, type Part } from './merge-intervals.js';
import type { MergeQuery, MergeSource, SourceDays } from './merge-sources.js';

/**
 * Maximum interval. A longer interval does not show when within the day its amount was measured, so the amount counts
 * at its start.
 */
const LONGEST_INTERVAL_MS = MS_PER_DAY;

/** A competing source, or the minutes in which it has removed samples. */
type Rank = MergeSource & { isArchived?: true };

/** One series' samples around the days of a query, and each sample's counted part. `row` identifies the sample. */
export interface CountedSamples extends Counted {
  rows: SampleRows;
}

/**
 * Counts each instant once over the account's sources. Removed samples keep their contribution: later samples count
 * only outside removed samples of other sources.
 * @param options.storedDay local day whose samples that cross midnight remain stored; only their part up to midnight
 * has a `row`
 * @param options.areWhole true if no part of a stored sample counts as archived
 */
export async function countSamples(
  client: pg.ClientBase,
  userKey: number,
  typeId: number,
  days: SourceDays,
  query: MergeQuery,
  { timeline, archivedBefore }: MergeContext,
  { storedDay, areWhole = false }: { storedDay?: number | undefined; areWhole?: boolean } = {},
): Promise<CountedSamples> {
  const { fromMs, toMs } = instantsAround(query);
  const offsets = [...timeline.offsetsAround(fromMs), ...timeline.offsetsAround(toMs)];
  const range = {
    typeId,
    sourceIds: days.sourceIds,
    fromMs: fromMs - Math.max(...offsets) * MS_PER_MINUTE,
    toMs: toMs - Math.min(...offsets) * MS_PER_MINUTE,
  };
  const rows = await readSamples(client, userKey, [range]);
  const isSplit = query.onlySourceId === undefined;
  const isArchived = isSplit && archivedBefore !== undefined && archivedBefore > query.firstDay - 2;
  const last = isArchived && !areWhole ? await lastArchivedDay(client, userKey, typeId) : undefined;
  // Ignores archived days of other accounts, because this account's vendor may forbid archiving.
  const countedDay = last?.sourceIds.some((sourceId) => days.sourceIds.includes(sourceId)) ? last.day : undefined;
  const parts = partsOf(rows, timeline, days, { isSplit, countedDay, storedDay });
  if (isArchived) for (const part of await removedParts(client, userKey, range, days)) parts.push(part);
  const compare = (a: Rank, b: Rank) =>
    Number(b.isArchived ?? false) - Number(a.isArchived ?? false) || query.compare(a, b);
  const counted = await countOnce(parts, compare, new Turns());
  const isOfDay = ({ day }: { day: number }) => !Number.isNaN(day);
  return { rows, parts: counted.parts.filter(isOfDay), stretches: counted.stretches.filter(isOfDay) };
}

interface Splitting {
  isSplit: boolean;
  /**
   * Last archived local day. When it was archived, samples that extend beyond midnight were counted up to midnight.
   */
  countedDay: number | undefined;
  storedDay: number | undefined;
}

function partsOf(
  rows: SampleRows,
  timeline: OffsetTimeline,
  days: SourceDays,
  { isSplit, countedDay, storedDay }: Splitting,
): Part<Rank>[] {
  const parts: Part<Rank>[] = [];
  for (let row = 0; row < rows.length; row++) {
    if (rows.kind[row] !== SAMPLE_KIND_CODE.sample) continue;
    const sourceId = rows.sourceId[row] as number;
    const startMs = rows.startMs[row] as number;
    const offset = effectiveOffset(rows, row, timeline);
    const day = localDayNumber(startMs, offset);
    const midnightMs = dayStartMs(day + 1, offset);
    const durationMs = spreadMs(rows.durationMs[row] as number);
    const endMs = startMs + durationMs;
    const value = rows.value[row] as number;
    const add = (onDay: number, fromMs: number, toMs: number, known?: number) =>
      parts.push({
        sourceId,
        rank: days.rank(onDay, sourceId),
        day: onDay,
        fromMs,
        toMs,
        value,
        durationMs,
        row: known,
      });
    const crosses = isSplit && endMs > midnightMs;
    const nextDay = days.has(day + 1) ? day + 1 : day;
    if (crosses && (nextDay > day || day === countedDay || day === storedDay)) {
      if (day !== countedDay) add(day, startMs, midnightMs, row);
      add(nextDay, midnightMs, endMs, day === storedDay ? undefined : row);
    } else add(day, startMs, endMs, row);
  }
  return parts;
}

/** True if an interval reaches into the next local day and is spread over both. */
export function crossesMidnight(rows: SampleRows, row: number, timeline: OffsetTimeline): boolean {
  const startMs = rows.startMs[row] as number;
  const offset = effectiveOffset(rows, row, timeline);
  return startMs + spreadMs(rows.durationMs[row] as number) > dayStartMs(localDayNumber(startMs, offset) + 1, offset);
}

function spreadMs(durationMs: number): number {
  return durationMs > 0 && durationMs <= LONGEST_INTERVAL_MS ? durationMs : 0;
}

/**
 * Returns minutes with removed samples as parts without value or day. These parts take precedence over all other parts.
 */
async function removedParts(
  client: pg.ClientBase,
  userKey: number,
  range: SampleRange,
  days: SourceDays,
): Promise<Part<Rank>[]> {
  const minutes = await loadArchivedMinutes(client, userKey, [range]);
  const parts: Part<Rank>[] = [];
  const sourceIds = new Set(days.sourceIds);
  for (const { sourceId, fromMs, toMs } of minutes.stretches()) {
    if (!sourceIds.has(sourceId)) continue;
    const rank: Rank = { ...days.source(sourceId), isArchived: true };
    parts.push({ sourceId, rank, day: Number.NaN, fromMs, toMs, value: 0, durationMs: toMs - fromMs });
  }
  return parts;
}
