import { dayNumber, dayStartMs, fromDayNumber, localDayNumber, SAMPLE_KIND_CODE } from '@healthd/model';
import type pg from 'pg';
import { loadTimeline } from '../offset-days.js';
import type { OffsetTimeline } from '../offset-timeline.js';
import { readSamples } from '../samples/sample-reader.js';
import { effectiveOffset, type SampleRows } from '../samples/sample-rows.js';
import { type CountedPart, countOnce, type Part } from './merge-intervals.js';

const MS_PER_DAY = 86_400_000;
const MS_PER_MINUTE = 60_000;
/** An interval that is longer says nothing about when in the day; its amount stays at its start. */
const LONGEST_INTERVAL_MS = MS_PER_DAY;

/**
 * How many local days away a sample can bear on a day's total: intervals reach a day far, the intervals that they compete
 * with another day, and the offsets of the two may be 26 hours apart.
 */
export const MERGE_REACH_DAYS = 4;

/** A source of one provider as it competes on one day. */
export interface MergeSource {
  provider: string;
  sourceId: number;
  deviceType: string | null;
  coveredMinutes: number;
}

export interface MergeQuery {
  provider: string;
  typeIds: readonly number[];
  /** Days since 1970-01-01, both included. */
  firstDay: number;
  lastDay: number;
  /** Orders sources of the provider; lower wins. */
  compare: (a: MergeSource, b: MergeSource) => number;
  /** Takes this source alone, each of its samples whole on the day it starts. */
  onlySourceId?: number;
}

/** The total of one day and series over all sources of the provider. */
export interface MergedDay {
  typeId: number;
  day: number;
  total: number;
  /** The source whose own total of the day stands for everything; `parts` then says what its samples would give. */
  totalOf: number | undefined;
  parts: CountedPart[];
}

interface DayFacts extends MergeSource {
  typeId: number;
  day: number;
  totalCount: number;
  totalSum: number;
}

/**
 * Merges the provider's sources on every day of the range on which it has data of the series. A part of an interval
 * beyond local midnight belongs to the next day where the provider has data of that series there, else to the day of
 * its start, so that nothing is lost. A day's own total, of the best source that has one, wins over samples.
 */
export async function mergeDays(client: pg.ClientBase, userKey: number, query: MergeQuery): Promise<MergedDay[]> {
  const facts = await readFacts(client, userKey, query);
  const fromMs = (query.firstDay - 2) * MS_PER_DAY;
  const toMs = (query.lastDay + 2) * MS_PER_DAY;
  const timeline = await loadTimeline(client, userKey, fromMs, toMs);
  const furthestAhead = Math.max(...timeline.offsetsAround(fromMs), ...timeline.offsetsAround(toMs));
  const furthestBehind = Math.min(...timeline.offsetsAround(fromMs), ...timeline.offsetsAround(toMs));
  const merged: MergedDay[] = [];
  for (const typeId of query.typeIds) {
    const days = new SourceDays(facts.filter((fact) => fact.typeId === typeId));
    if (days.sourceIds.length === 0) continue;
    const range = {
      typeId,
      sourceIds: days.sourceIds,
      fromMs: fromMs - furthestAhead * MS_PER_MINUTE,
      toMs: toMs - furthestBehind * MS_PER_MINUTE,
    };
    const rows = await readSamples(client, userKey, [range]);
    const parts = partsOf(rows, timeline, days, query.onlySourceId === undefined);
    merged.push(...totals(typeId, days, countOnce(parts, query.compare), query));
  }
  return merged;
}

async function readFacts(client: pg.ClientBase, userKey: number, query: MergeQuery): Promise<DayFacts[]> {
  const { rows } = await client.query<Omit<DayFacts, 'day'> & { date: string }>({
    name: 'records-merge-facts',
    text: `select d.type_id as "typeId", d.local_date as date, d.source_id as "sourceId",
                  d.covered_minutes as "coveredMinutes", d.total_count as "totalCount",
                  coalesce(d.total_sum, 0) as "totalSum", s.provider, s.device_type as "deviceType"
             from day_value d join data_source s on s.user_key = $1 and s.source_id = d.source_id
            where d.user_key = $1 and d.type_id = any ($2::int2[]) and d.local_date between $3::date and $4::date
              and s.provider = $5 and d.sample_count + d.total_count > 0
              and ($6::int4 is null or d.source_id = $6)`,
    values: [
      userKey,
      query.typeIds,
      fromDayNumber(query.firstDay - MERGE_REACH_DAYS),
      fromDayNumber(query.lastDay + MERGE_REACH_DAYS),
      query.provider,
      query.onlySourceId ?? null,
    ],
  });
  return rows.map(({ date, ...row }) => ({ ...row, day: dayNumber(date) as number }));
}

/** What the provider's sources have of one series, by day. */
class SourceDays {
  readonly sourceIds: number[];
  private readonly days = new Map<number, Map<number, DayFacts>>();
  private readonly absent = new Map<number, MergeSource>();

  constructor(facts: readonly DayFacts[]) {
    for (const fact of facts) {
      const day = this.days.get(fact.day);
      if (day) day.set(fact.sourceId, fact);
      else this.days.set(fact.day, new Map([[fact.sourceId, fact]]));
      this.absent.set(fact.sourceId, { ...fact, coveredMinutes: 0 });
    }
    this.sourceIds = [...this.absent.keys()];
  }

  has(day: number): boolean {
    return this.days.has(day);
  }

  of(day: number): DayFacts[] {
    return [...(this.days.get(day)?.values() ?? [])];
  }

  /** A source that has only the end of an interval on a day covers none of it by its own. */
  rank(day: number, sourceId: number): MergeSource {
    return this.days.get(day)?.get(sourceId) ?? (this.absent.get(sourceId) as MergeSource);
  }
}

function partsOf(rows: SampleRows, timeline: OffsetTimeline, days: SourceDays, split: boolean): Part<MergeSource>[] {
  const parts: Part<MergeSource>[] = [];
  for (let row = 0; row < rows.length; row++) {
    if (rows.kind[row] !== SAMPLE_KIND_CODE.sample) continue;
    const sourceId = rows.sourceId[row] as number;
    const startMs = rows.startMs[row] as number;
    const ownMs = rows.durationMs[row] as number;
    const durationMs = ownMs > 0 && ownMs <= LONGEST_INTERVAL_MS ? ownMs : 0;
    const endMs = startMs + durationMs;
    const offset = effectiveOffset(rows, row, timeline);
    const day = localDayNumber(startMs, offset);
    const midnightMs = dayStartMs(day + 1, offset);
    const add = (onDay: number, fromMs: number, toMs: number) => {
      const value = rows.value[row] as number;
      parts.push({ sourceId, rank: days.rank(onDay, sourceId), day: onDay, fromMs, toMs, value, durationMs });
    };
    if (split && endMs > midnightMs && days.has(day + 1)) {
      add(day, startMs, midnightMs);
      add(day + 1, midnightMs, endMs);
    } else add(day, startMs, endMs);
  }
  return parts;
}

function totals(
  typeId: number,
  days: SourceDays,
  counted: readonly CountedPart[],
  { firstDay, lastDay, compare }: MergeQuery,
): MergedDay[] {
  const partsByDay = new Map<number, CountedPart[]>();
  for (const part of counted) {
    const parts = partsByDay.get(part.day);
    if (parts) parts.push(part);
    else partsByDay.set(part.day, [part]);
  }
  const merged: MergedDay[] = [];
  for (let day = firstDay; day <= lastDay; day++) {
    if (!days.has(day)) continue;
    const parts = partsByDay.get(day) ?? [];
    const [own] = days
      .of(day)
      .filter(({ totalCount }) => totalCount > 0)
      .sort(compare);
    const total = own ? own.totalSum : parts.reduce((sum, { amount }) => sum + amount, 0);
    merged.push({ typeId, day, total, totalOf: own?.sourceId, parts });
  }
  return merged;
}
