import type { ClientBase } from 'pg';

export interface BackedTable {
  name: string;
  columns: string[];
}

/**
 * Lists all tables of the service with their columns, referenced tables first. Omits the migration record, which the
 * restore creates itself, and the job store, because sweepers enqueue its jobs again.
 */
export async function serviceTables(client: ClientBase): Promise<BackedTable[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; refers_to: string[] }>(`
    select c.relname as name,
           (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
             where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
           (select coalesce(array_agg(distinct f.confrelid::regclass::text), '{}') from pg_constraint f
             where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as refers_to
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname not in ('schema_migration', 'pending_erasure') and c.relname not like 'agenda\\_%'
     order by c.relname`);
  const waiting = new Map(rows.map((row) => [row.name, row]));
  const ordered: BackedTable[] = [];
  while (waiting.size > 0) {
    const ready = [...waiting.values()].filter((row) => !row.refers_to.some((name) => waiting.has(name)));
    // Circular references would never become ready; the schema has none.
    if (ready.length === 0)
      throw new Error(`tables refer to each other in a circle: ${[...waiting.keys()].join(', ')}`);
    for (const { name, columns } of ready) {
      ordered.push({ name, columns });
      waiting.delete(name);
    }
  }
  return ordered;
}

/** Quotes a name for SQL. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Returns the columns of a table in COPY syntax. */
export function columnList(table: BackedTable): string {
  return table.columns.map(quoted).join(', ');
}
