import type { DeviceTypePriority, ProviderPriority } from '@healthd/schemas';
import type pg from 'pg';
import { inTransaction } from '../platform/database/index.js';
import { forgetPriorities } from './ranking.js';

/** Postgres channel that notifies all processes that priorities changed. */
export const PRIORITY_CHANNEL = 'healthd_priorities';

/** A name and its priority; lower wins. */
interface Ranking {
  name: string;
  priority: number;
}

/** The priorities of one kind: read, and changed with effect on the next request of every process. */
export interface PriorityList<Item> {
  list(): Promise<Item[]>;
  /** Sets what is named and leaves the rest; of a name that comes twice the last holds. */
  set(rankings: readonly Ranking[]): Promise<void>;
  /** Sets one and gives it back. */
  setOne(ranking: Ranking): Promise<Item>;
}

interface Row {
  id: string;
  name: string;
  priority: number;
  created_at: Date;
  updated_at: Date;
}

/** Priorities of providers and of device types. */
export function createPriorityList(pool: pg.Pool, kind: 'device_type'): PriorityList<DeviceTypePriority>;
export function createPriorityList(pool: pg.Pool, kind: 'provider'): PriorityList<ProviderPriority>;
export function createPriorityList(
  pool: pg.Pool,
  kind: 'provider' | 'device_type',
): PriorityList<ProviderPriority | DeviceTypePriority> {
  const table = `${kind}_priority`;
  const item = ({ name, created_at, updated_at, ...row }: Row) => ({
    [kind]: name,
    ...row,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  });
  const read = async () => {
    const { rows } = await pool.query<Row>(
      `select ${kind} as name, id, priority, created_at, updated_at from ${table} order by priority, ${kind}`,
    );
    return rows.map((row) => item(row) as unknown as ProviderPriority | DeviceTypePriority);
  };
  const set = async (rankings: readonly Ranking[]) => {
    const last = new Map(rankings.map(({ name, priority }) => [name, priority]));
    await inTransaction(pool, async (client) => {
      await client.query(
        `insert into ${table} (${kind}, priority) select * from unnest($1::text[], $2::int4[])
         on conflict (${kind}) do update set priority = excluded.priority, updated_at = now()`,
        [[...last.keys()], [...last.values()]],
      );
      await client.query('select pg_notify($1, $2)', [PRIORITY_CHANNEL, kind]);
    });
    forgetPriorities(pool);
  };
  return {
    list: read,
    set,
    async setOne(ranking) {
      await set([ranking]);
      const changed = (await read()).find((row) => (row as Record<string, unknown>)[kind] === ranking.name);
      if (!changed) throw new Error(`${table} lost a row that was just written`);
      return changed;
    },
  };
}
