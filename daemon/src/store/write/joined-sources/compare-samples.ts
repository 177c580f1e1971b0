import { hasId, SAMPLE_KIND_CODE, seriesTypeById } from '@healthd/model';
import type pg from 'pg';
import { ONE_LOOK_EACH } from '../../../platform/database/index.js';
import { instantsOf } from '../../derived/days/planned-reads.js';
import type { OffsetTimeline } from '../../facts/offsets/offset-timeline.js';
import { CONDENSED_TOLERANCE } from '../../decide/condensed.js';
import { isSameValue } from '../../decide/sample-identity.js';
import { readSamples } from '../../facts/samples/sample-reader.js';
import { endSecond, localDayOf, type SampleRows, startSecond } from '../../facts/samples/sample-rows.js';
import type { Evidence } from './evidence.js';
import {
  type ComparedItem,
  type ComparedItems,
  compareItems,
  type Edges,
  edgesOf,
  type SourcePair,
  withinBoth,
} from './pair.js';
import type { SampledDay, SampledDays } from './sampled-days.js';

/** Maximum number of compared samples per series. Starts with the newest days that both sources share. */
const MOST = 20_000;
/** Maximum number of equal samples per series to look up in other sources. */
const MOST_PROBED = 300;

/** A sample of a compared source or of another source. */
export interface ComparedSample extends ComparedItem {
  typeId: number;
  startSecond: number;
  endSecond: number;
  value: number;
}

interface SeriesDay {
  day: number;
  named: number;
  bundled: number;
}

/** Adds evidence from two sources' samples that are not archived. @returns the equal samples */
export async function compareSamples(
  client: pg.ClientBase,
  userKey: number,
  pair: SourcePair,
  { days: sampled, timeline }: SampledDays,
  evidence: Evidence,
): Promise<ComparedSample[]> {
  const equal: ComparedSample[] = [];
  for (const [typeId, series] of seriesOf(sampled, pair)) {
    const named = series.filter((day) => day.named > 0).map(({ day }) => day);
    const bundled = series.filter((day) => day.bundled > 0).map(({ day }) => day);
    if (named.length === 0 || bundled.length === 0) continue;
    const isInside = (day: number) => day > Math.min(...named) && day < Math.max(...named);
    for (const day of series) if (day.named === 0 && isInside(day.day)) evidence.addContradictions(day.bundled);
    const compared = newestCommon(series);
    if (compared.length === 0) continue;
    const items = await loadItems(client, userKey, typeId, pair, compared, timeline);
    const edges = [edgesWithin(items.named, named, compared), edgesWithin(items.bundled, bundled, compared)];
    const found = compareItems(
      withinBoth(items.named, edges),
      withinBoth(items.bundled, edges),
      (item) => `${item.startSecond} ${item.endSecond}`,
      (a, b) => isSameValue(a.value, b.value),
    );
    evidence.addEqual(found.equal.length);
    const explained = seriesTypeById(typeId)?.rule === 'sum' ? condensedItems(found) : new Set();
    const alone = [...found.onlyNamed, ...found.onlyBundled].filter((item) => !explained.has(item));
    evidence.addContradictions(found.apart.length + alone.length);
    equal.push(...found.equal.slice(-MOST_PROBED));
  }
  return equal;
}

/** Adds equal samples that exist in no other source of the store. */
export async function addExclusiveSamples(
  client: pg.ClientBase,
  userKey: number,
  equal: readonly ComparedSample[],
  otherIds: readonly number[],
  evidence: Evidence,
): Promise<void> {
  if (equal.length === 0) return;
  const { rows } = await client.query<{ at: number; end_second: number; value: number }>(
    `select item.at::int4 as at, s.value,
            floor(extract(epoch from s.start_at) + coalesce(s.duration_ms, 0) / 1000.0)::float8 as end_second
       from unnest($2::int2[], $3::float8[]) with ordinality as item (type_id, second, at)
      cross join lateral (
        select * from sample
         where user_key = $1 and type_id = item.type_id and start_at >= to_timestamp(item.second)
           and start_at < to_timestamp(item.second + 1) and source_id = any ($4::int[])
        ${ONE_LOOK_EACH}) s`,
    [userKey, equal.map(({ typeId }) => typeId), equal.map((item) => item.startSecond), otherIds],
  );
  const copied = new Set(
    rows.flatMap(({ at, end_second, value }) => {
      const item = equal[at - 1] as ComparedSample;
      return end_second === item.endSecond && isSameValue(value, item.value) ? [item] : [];
    }),
  );
  for (const item of equal) if (!copied.has(item)) evidence.addExclusive(item.startMs);
}

/** Returns the days of each series with both sources' numbers of samples, newest first. */
function seriesOf(sampled: readonly SampledDay[], { namedId, bundledId }: SourcePair): Map<number, SeriesDay[]> {
  const series = new Map<number, Map<number, SeriesDay>>();
  for (const { typeId, sourceId, day, count } of sampled) {
    if (sourceId !== namedId && sourceId !== bundledId) continue;
    const days = series.get(typeId) ?? new Map<number, SeriesDay>();
    series.set(typeId, days);
    const one = days.get(day) ?? { day, named: 0, bundled: 0 };
    days.set(day, one);
    if (sourceId === namedId) one.named = count;
    else one.bundled = count;
  }
  return new Map([...series].map(([typeId, days]) => [typeId, [...days.values()]]));
}

/** Returns the condensed items of the export and the phone's pieces of them, because exports condense old items. */
function condensedItems({ onlyNamed, onlyBundled }: ComparedItems<ComparedSample>): Set<ComparedSample> {
  const explained = new Set<ComparedSample>();
  const bundledOn = new Map<number, ComparedSample[]>();
  for (const item of onlyBundled) bundledOn.set(item.day, [...(bundledOn.get(item.day) ?? []), item]);
  for (const whole of onlyNamed) {
    const parts = (bundledOn.get(whole.day) ?? []).filter(
      (part) => part.startSecond >= whole.startSecond && part.endSecond <= whole.endSecond && !explained.has(part),
    );
    const sum = parts.reduce((total, { value }) => total + value, 0);
    if (parts.length < 2 || Math.abs(sum - whole.value) > CONDENSED_TOLERANCE * Math.abs(sum)) continue;
    for (const item of [whole, ...parts]) explained.add(item);
  }
  return explained;
}

/** Returns the newest days on which both sources have samples, up to a limit of samples. */
function newestCommon(series: readonly SeriesDay[]): number[] {
  const days: number[] = [];
  let count = 0;
  for (const { day, named, bundled } of series) {
    if (named === 0 || bundled === 0) continue;
    count += named + bundled;
    if (count > MOST && days.length > 1) break;
    days.push(day);
  }
  return days;
}

async function loadItems(
  client: pg.ClientBase,
  userKey: number,
  typeId: number,
  { namedId, bundledId }: SourcePair,
  days: readonly number[],
  timeline: OffsetTimeline,
): Promise<{ named: ComparedSample[]; bundled: ComparedSample[] }> {
  const [first, last] = [Math.min(...days), Math.max(...days)];
  const sourceIds = [namedId, bundledId];
  const rows = await readSamples(client, userKey, [
    { typeId, sourceIds, kindCode: SAMPLE_KIND_CODE.sample, ...instantsOf(first, last, timeline) },
  ]);
  const chosen = new Set(days);
  const of = (sourceId: number) => {
    const items: ComparedSample[] = [];
    for (let row = 0; row < rows.length; row++) {
      if (rows.sourceId[row] !== sourceId) continue;
      const day = localDayOf(rows, row, timeline);
      if (chosen.has(day)) items.push(itemOf(rows, row, day));
    }
    return items;
  };
  return { named: of(namedId), bundled: of(bundledId) };
}

function itemOf(rows: SampleRows, row: number, day: number): ComparedSample {
  const slot = rows.slot[row] as number;
  return {
    typeId: rows.typeId[row] as number,
    startMs: rows.startMs[row] as number,
    day,
    startSecond: startSecond(rows, row),
    endSecond: endSecond(rows, row),
    value: rows.value[row] as number,
    id: hasId(slot) ? slot : undefined,
  };
}

/**
 * Returns the first and last start of a source. An edge is infinite if the compared days do not contain it, because the
 * source extends beyond these days.
 */
function edgesWithin(items: readonly ComparedItem[], days: readonly number[], compared: readonly number[]): Edges {
  const edges = edgesOf(items);
  return {
    firstMs: compared.includes(Math.min(...days)) ? edges.firstMs : Number.NEGATIVE_INFINITY,
    lastMs: compared.includes(Math.max(...days)) ? edges.lastMs : Number.POSITIVE_INFINITY,
  };
}
