import type pg from 'pg';

/** A part of a schema as a comparable text. */
export interface SchemaLine {
  /** Table or function that the line belongs to. */
  of: string;
  line: string;
}

/**
 * Lists a schema's tables, columns, constraints, indexes, functions and triggers. Omits the names of NOT NULL
 * constraints, because a renamed column keeps its constraint's old name. The schema must be first in the search path,
 * so that Postgres omits it from names.
 */
export async function schemaLines(client: pg.Client, schema: string): Promise<SchemaLine[]> {
  const found: SchemaLine[] = [];
  for (const sql of PARTS) {
    const { rows } = await client.query<SchemaLine>(sql, [schema]);
    found.push(...rows.map(({ of, line }) => ({ of, line: line.replaceAll(`${schema}.`, '') })));
  }
  return found;
}

const PARTS = [
  `select relname as of, concat_ws(' ', 'table', relname, relpersistence, relrowsecurity, reloptions) as line
     from pg_class where relnamespace = $1::regnamespace and relkind = 'r'`,
  `select relname as of, concat_ws(' ', 'column', relname, attname, format_type(atttypid, atttypmod),
          case when attnotnull then 'not null' end, nullif(attidentity, ''), nullif(attgenerated, ''), attstorage,
          pg_get_expr(adbin, adrelid)) as line
     from pg_class join pg_attribute on attrelid = pg_class.oid
          left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where relnamespace = $1::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped`,
  `select relname as of, concat_ws(' ', 'constraint', relname, conname, pg_get_constraintdef(pg_constraint.oid)) as line
     from pg_constraint join pg_class on pg_class.oid = conrelid
    where connamespace = $1::regnamespace and contype <> 'n'`,
  `select t.relname as of, pg_get_indexdef(indexrelid) as line
     from pg_index join pg_class t on t.oid = indrelid where t.relnamespace = $1::regnamespace`,
  `select proname as of, pg_get_functiondef(oid) as line from pg_proc where pronamespace = $1::regnamespace and prokind = 'f'`,
  `select relname as of, pg_get_triggerdef(pg_trigger.oid) as line
     from pg_trigger join pg_class on pg_class.oid = tgrelid where relnamespace = $1::regnamespace and not tgisinternal`,
];
