import type { ClientBase } from 'pg';

/** A table with rows about individual users. */
export interface PersonTable {
  name: string;
  /** Column that identifies the row's user; the internal key takes precedence over the public ID. */
  ownerColumn: 'user_key' | 'user_id';
  /** Exported columns: all except the internal key, secrets, and generated columns. */
  columns: string[];
}

/**
 * Lists all tables with rows about individual users from the database's catalog, so that none can be forgotten. Omits
 * job tables, which contain IDs of work and no data. Secrets (hashes and sealed texts of tokens, codes, keys) are
 * credentials of the service and contain no information about the user.
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
