import { dayNumber, fromDayNumber } from '@healthd/model';
import type pg from 'pg';
import { TransactionValue } from '../../platform/database/index.js';
import { CHANGE, type Change, DELETED } from './change.js';

/** Tables whose rows are single items with an id. */
export type ItemTable = 'sleep_session' | 'workout' | 'menstrual_cycle' | 'health_score';

/** Summaries that samples and sessions change. */
export type ChangedSummary = 'activity' | 'sleep' | 'recovery' | 'body';

/** How the data arrived. */
export type ChangeOrigin = 'live' | 'historical' | 'import' | 'push' | 'correction';

export interface ChangedItem {
  change: Change;
  /** Former and current local dates. */
  dates: Set<string>;
}

/** Changes of one user's data in a transaction. */
export class UserChanges {
  /** Changes by series type and local day, in days since 1970-01-01. */
  readonly samples = new Map<number, Map<number, Change>>();
  readonly items = new Map<ItemTable, Map<string, ChangedItem>>();
  /** Local days by summary. */
  readonly summaries = new Map<ChangedSummary, Set<number>>();
  #origin: ChangeOrigin | undefined;
  readonly #runIds = new Set<string>();

  /** Records how the following changes arrived. */
  cameBy(origin: ChangeOrigin, runId: string | undefined): void {
    this.#origin = origin;
    if (runId !== undefined) this.#runIds.add(runId);
  }

  get origin(): ChangeOrigin {
    return this.#origin ?? 'correction';
  }

  /** The run that made the changes; undefined without a run or if several runs share the transaction. */
  get runId(): string | undefined {
    return this.#runIds.size === 1 ? [...this.#runIds][0] : undefined;
  }

  addSamples(typeId: number, day: number, change: Change): void {
    const days = this.samples.get(typeId);
    if (days) days.set(day, (days.get(day) ?? 0) | change);
    else this.samples.set(typeId, new Map([[day, change]]));
  }

  addItem(table: ItemTable, id: string, change: Change, dates: Iterable<string>): void {
    const known = this.items.get(table) ?? new Map<string, ChangedItem>();
    this.items.set(table, known);
    const item = known.get(id);
    if (!item) known.set(id, { change, dates: new Set(dates) });
    else if ((item.change & CHANGE.created) !== 0 && (change & DELETED) !== 0) known.delete(id);
    else {
      item.change |= change;
      for (const date of dates) item.dates.add(date);
    }
  }

  addSummary(summary: ChangedSummary, days: Iterable<number>): void {
    const known = this.summaries.get(summary) ?? new Set<number>();
    this.summaries.set(summary, known);
    for (const day of days) known.add(day);
  }
}

const CHANGES = new TransactionValue(() => new Map<number, UserChanges>());

/** Returns the changes of a user's data in the client's transaction. The caller may add changes. */
export function changesOf(client: pg.ClientBase, userKey: number): UserChanges {
  const users = CHANGES.in(client);
  const known = users.get(userKey) ?? new UserChanges();
  users.set(userKey, known);
  return known;
}

/** Returns all changes of the client's transaction by user. */
export function allChangesIn(client: pg.ClientBase): ReadonlyMap<number, UserChanges> {
  return CHANGES.existingIn(client) ?? new Map();
}

/** Records that all summaries of a user may have changed, on all days with data. */
export async function addAllSummaries(
  client: pg.ClientBase,
  userKey: number,
  summaries: readonly ChangedSummary[],
): Promise<void> {
  const { rows } = await client.query<{ day: string }>(
    'select distinct local_date as day from day_value where user_key = $1',
    [userKey],
  );
  const days = rows.map(({ day }) => dayNumber(day) as number);
  for (const summary of summaries) changesOf(client, userKey).addSummary(summary, days);
}

/** SQL expression of an item's local date, for a row `s` of the table. */
const DATE_OF: Readonly<Record<ItemTable, string>> = {
  sleep_session: 's.wake_date',
  workout: 's.local_date',
  menstrual_cycle: localDate('s.start_at'),
  health_score: localDate('s.recorded_at'),
};

function localDate(instant: string): string {
  return `((${instant} at time zone 'UTC') + make_interval(mins => coalesce(s.offset_minutes, 0)::int))::date`;
}

/** Returns the SQL of an item's local date, for a row `s` of the table. */
export function itemDate(table: ItemTable): string {
  return DATE_OF[table];
}

/** Returns the columns of changed rows of the table `s`, for {@link addChangedRows}. */
export function changedColumns(table: ItemTable): string {
  return `s.id as changed_id, ${DATE_OF[table]}::text as changed_date`;
}

/** Columns of {@link changedColumns}. */
export interface ChangedRow {
  changed_id: string;
  changed_date: string;
}

/** Records rows that a statement with {@link changedColumns} returned. */
export function addChangedRows(
  client: pg.ClientBase,
  userKey: number,
  table: ItemTable,
  change: Change,
  rows: readonly ChangedRow[],
): void {
  if (rows.length === 0) return;
  const changes = changesOf(client, userKey);
  for (const { changed_id: id, changed_date: date } of rows) changes.addItem(table, id, change, [date]);
}

/** Returns ranges of consecutive days, both ends included, in ascending order. */
export function dayRanges(days: Iterable<number>): { from: string; to: string }[] {
  const sorted = [...new Set(days)].sort((a, b) => a - b);
  const ranges: { from: number; to: number }[] = [];
  for (const day of sorted) {
    const last = ranges.at(-1);
    if (last && last.to === day - 1) last.to = day;
    else ranges.push({ from: day, to: day });
  }
  return ranges.map(({ from, to }) => ({ from: fromDayNumber(from), to: fromDayNumber(to) }));
}
