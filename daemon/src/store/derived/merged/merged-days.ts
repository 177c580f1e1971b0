import type pg from 'pg';
import { groupedBy } from '../../../platform/grouped-by.js';
import { ArchivedDays } from '../../facts/archived/archived-day.js';
import { type ArchivedAmount, loadArchivedAmounts } from '../../facts/archived/merged-archive.js';
import { countSamples } from './counted-samples.js';
import { loadMergeContext, type MergeContext } from './merge-context.js';
import type { Counted, CountedPart, CountedStretch } from './merge-intervals.js';
import { type MergeQuery, readFacts, SourceDays } from './merge-sources.js';

/** Number of conflicts with concurrent archival after which a reader fails. */
const ATTEMPTS = 10;

/** The total of one day and series over all sources of the account. */
export interface MergedDay {
  typeId: number;
  day: number;
  total: number;
  /**
   * The source whose own daily total replaces all samples. `parts` then contain the contributions that the samples
   * would otherwise make.
   */
  totalOf: number | undefined;
  parts: CountedPart[];
  stretches: CountedStretch[];
  /** Contributions of archived samples by source. Archived samples have no parts. */
  archived: { sourceId: number; amount: number }[];
}

/**
 * Merges the account's sources on every day of the range that has data of the series. The part of an interval after
 * local midnight belongs to the next day if the account has data of that series on that day. Otherwise it belongs to
 * the day of its start, so that no amount is lost. A daily total from the best source with a total takes precedence
 * over samples.
 * @param known data of these days that a transaction has already read
 */
export async function mergeDays(
  client: pg.ClientBase,
  userKey: number,
  query: MergeQuery,
  known?: MergeContext,
): Promise<MergedDay[]> {
  for (let attempt = 1; ; attempt++) {
    const before = await archivedWindows(client, userKey);
    const merged = await merge(client, userKey, query, { hasArchive: before > 0, known });
    // Repeats the read after concurrent archival. Archival moves amounts from samples to stored totals, so the two
    // reads may be inconsistent.
    if (before === (await archivedWindows(client, userKey))) return merged;
    if (attempt === ATTEMPTS) throw new Error('archival kept changing the data during the read');
  }
}

async function archivedWindows(client: pg.ClientBase, userKey: number): Promise<number> {
  const { rows } = await client.query<{ windows: number }>({
    name: 'records-archived-windows',
    text: 'select windows from user_archive where user_key = $1',
    values: [userKey],
  });
  return rows[0]?.windows ?? 0;
}

async function merge(
  client: pg.ClientBase,
  userKey: number,
  query: MergeQuery,
  { hasArchive, known }: { hasArchive: boolean; known: MergeContext | undefined },
): Promise<MergedDay[]> {
  const facts = await readFacts(client, userKey, query);
  const amounts = hasArchive ? await archivedAmounts(client, userKey, query) : [];
  const merged: MergedDay[] = [];
  let context = known;
  for (const typeId of query.typeIds) {
    const days = new SourceDays(facts.filter((fact) => fact.typeId === typeId));
    if (days.sourceIds.length === 0) continue;
    context ??= await loadMergeContext(client, userKey, query);
    const counted = await countSamples(client, userKey, typeId, days, query, context);
    merged.push(...totals(typeId, days, counted, amounts, query));
  }
  return merged;
}

/**
 * Returns the contributions of removed samples: merged contributions, or complete contributions for a single source.
 */
async function archivedAmounts(client: pg.ClientBase, userKey: number, query: MergeQuery): Promise<ArchivedAmount[]> {
  if (query.onlySourceId === undefined) return loadArchivedAmounts(client, userKey, query);
  const days = await ArchivedDays.load(client, userKey, query);
  return days
    .all()
    .filter(({ sourceId }) => sourceId === query.onlySourceId)
    .map(({ typeId, sourceId, day, sampleSum }) => ({ typeId, sourceId, day, amount: sampleSum }));
}

function totals(
  typeId: number,
  days: SourceDays,
  counted: Counted,
  amounts: readonly ArchivedAmount[],
  { firstDay, lastDay, compare }: MergeQuery,
): MergedDay[] {
  const partsByDay = groupedBy(counted.parts, ({ day }) => day);
  const stretchesByDay = groupedBy(counted.stretches, ({ day }) => day);
  const sourceIds = new Set(days.sourceIds);
  const known = amounts.filter((one) => one.typeId === typeId && sourceIds.has(one.sourceId));
  const amountsByDay = groupedBy(known, ({ day }) => day);
  const merged: MergedDay[] = [];
  for (let day = firstDay; day <= lastDay; day++) {
    if (!days.has(day)) continue;
    const parts = partsByDay.get(day) ?? [];
    const stretches = stretchesByDay.get(day) ?? [];
    const present = days.of(day);
    // As in every selection, zero loses against any larger value.
    const counted = present.filter(({ lead }) => lead > 0);
    const [own] = (counted.length > 0 ? counted : present).filter(({ totalCount }) => totalCount > 0).sort(compare);
    const archived = amountsByDay.get(day) ?? [];
    const total = own ? own.lead : [...archived, ...parts].reduce((sum, { amount }) => sum + amount, 0);
    merged.push({ typeId, day, total, totalOf: own?.sourceId, parts, stretches, archived });
  }
  return merged;
}
