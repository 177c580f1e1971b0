import type { ClientBase } from 'pg';

/** A table that holds rows about single persons. */
export interface PersonTable {
  name: string;
  /** Column that says about whom a row is, the internal key before the public id. */
  ownerColumn: 'user_key' | 'user_id';
  /**
   * What is handed out: all columns but the internal key, those that hold secrets, and what Postgres computes from
   * others.
   */
  columns: string[];
}

/**
 * All tables with rows about single persons, as the database itself knows them, so that none can be forgotten. Left out
 * are job tables, which hold ids of work and no data. Secrets (hashes and sealed texts of tokens, codes, keys) are
 * credentials of the service and say nothing about the person.
 */
export async function personTables(client: Pick<ClientBase, 'query'>): Promise<PersonTable[]> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
                         and a.attgenerated = ''
     where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname not like 'agenda\\_%'
     group by c.relname
    having bool_or(a.attname in ('user_key', 'user_id'))
     order by c.relname`);
  return rows.map(({ name, columns }) => ({
    name,
    ownerColumn: columns.includes('user_key') ? 'user_key' : 'user_id',
    columns: columns.filter((column) => column !== 'user_key' && !isSecret(column)),
  }));
}

function isSecret(column: string): boolean {
  return /(^|_)(hash|sealed|secret|token|ciphertext|data_key)$/.test(column);
}
