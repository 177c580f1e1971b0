import type pg from 'pg';
import { inTransaction } from '../platform/database/index.js';

/** Postgres channel that notifies all processes of changed priorities. */
export const PRIORITY_CHANNEL = 'healthd_priorities';

/** Priority of a provider or of a device type. The lowest number wins. */
export interface PriorityRow {
  name: string;
  id: string;
  priority: number;
  created_at: Date;
  updated_at: Date;
}

export interface PriorityListOptions<Item> {
  pool: pg.Pool;
  /** SQL that selects {@link PriorityRow}s. */
  select: string;
  /** SQL that stores names `$1` with priorities `$2`. */
  store: string;
  /** Converts a row to the API form. */
  item(row: PriorityRow): Item;
  /** Called in the transaction of each change. */
  onStored?: ((client: pg.ClientBase) => Promise<void>) | undefined;
  /** Called after each change by this process. */
  onChanged(): void;
}

/** Priorities of providers or of device types. A change applies to the next request of every process. */
export class PriorityList<Item> {
  constructor(private readonly options: PriorityListOptions<Item>) {}

  /** Lists all items, highest precedence first. */
  async list(): Promise<Item[]> {
    return (await this.#rows()).map(this.options.item);
  }

  /** Returns the priority of each name. */
  async ranks(): Promise<Map<string, number>> {
    return new Map((await this.#rows()).map(({ name, priority }) => [name, priority]));
  }

  /** Sets the priorities of these names and keeps all others. If a name is repeated, its last priority applies. */
  async set(rankings: readonly { name: string; priority: number }[]): Promise<void> {
    const { pool, store, onStored, onChanged } = this.options;
    const last = new Map(rankings.map(({ name, priority }) => [name, priority]));
    // Sorts the names: all writers then lock rows in the same order and cannot deadlock.
    const rows = [...last].sort(([a], [b]) => (a < b ? -1 : 1));
    const values = [rows.map(([name]) => name), rows.map(([, priority]) => priority)];
    const text = `with stored as (${store}) select pg_notify('${PRIORITY_CHANNEL}', '')`;
    await inTransaction(pool, async (client) => {
      await client.query(text, values);
      await onStored?.(client);
    });
    onChanged();
  }

  /** Sets one priority and returns its item. */
  async setOne(ranking: { name: string; priority: number }): Promise<Item> {
    await this.set([ranking]);
    const row = (await this.#rows()).find(({ name }) => name === ranking.name);
    if (!row) throw new Error('the priority that was just written does not exist');
    return this.options.item(row);
  }

  async #rows(): Promise<PriorityRow[]> {
    const { pool, select } = this.options;
    return (await pool.query<PriorityRow>(`${select} order by priority, name`)).rows;
  }
}

/**
 * Adds providers without a priority to the end of the order. A lock prevents equal priorities. Runs in the caller's
 * transaction. Otherwise two new providers would have equal precedence within that transaction.
 */
export async function rankNewProviders(client: pg.ClientBase, providers: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ provider: string }>(
    `select provider from unnest($1::text[]) as seen (provider)
      where not exists (select from provider_priority ranked where ranked.provider = seen.provider)`,
    [providers],
  );
  if (rows.length === 0) return;
  await client.query(`select pg_advisory_xact_lock(hashtext('provider_priority'))`);
  await client.query(
    `insert into provider_priority (provider, priority)
     select provider, (select coalesce(max(priority), 0) from provider_priority) + position
       from unnest($1::text[]) with ordinality as seen (provider, position)
     on conflict (provider) do nothing`,
    [rows.map(({ provider }) => provider).sort()],
  );
}
