import type pg from 'pg';

/**
 * Returns a schema as comparable lines: tables with their settings, columns in order, constraints, indexes, functions,
 * triggers and initial rows. Excludes the names of NOT NULL constraints, which keep the name that a column had at its
 * creation.
 */
export async function describeSchema(pool: pg.Pool): Promise<Record<string, string[]>> {
  const described: Record<string, string[]> = {};
  for (const [what, sql] of Object.entries(PARTS)) {
    const { rows } = await pool.query<{ line: string }>(sql);
    described[what] = rows.map(({ line }) => line).sort();
  }
  const { rows: tables } = await pool.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and ${OURS} and relname <> 'schema_migration'`,
  );
  described.rows = [];
  for (const { name } of tables) {
    const { rows } = await pool.query<{ row: object }>(
      `select to_jsonb(r) - 'id' - 'created_at' - 'updated_at' as row from "${name}" r`,
    );
    described.rows.push(...rows.map(({ row }) => `${name} ${JSON.stringify(row)}`));
  }
  described.rows.sort();
  return described;
}

const OURS = "relnamespace = 'public'::regnamespace";

const PARTS = {
  relations: `select concat_ws(' ', relkind, relname, relpersistence, relreplident, relrowsecurity, reloptions, amname) as line
    from pg_class left join pg_am on pg_am.oid = relam where ${OURS} and relkind <> 'i'`,
  columns: `select concat_ws(' ', relname, row_number() over (partition by relname order by attnum), attname,
      format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated, attstorage, attcompression, attstattarget,
      attcollation::regcollation, pg_get_expr(adbin, adrelid)) as line
    from pg_class join pg_attribute on attrelid = pg_class.oid
         left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where ${OURS} and relkind = 'r' and attnum > 0 and not attisdropped`,
  constraints: `select concat_ws(' ', conrelid::regclass, conname, contype, pg_get_constraintdef(oid)) as line
    from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'`,
  indexes: `select concat_ws(' ', pg_get_indexdef(indexrelid), indisprimary, indisunique, indisclustered, reloptions) as line
    from pg_index join pg_class on pg_class.oid = indexrelid where ${OURS}`,
  sequences:
    "select concat_ws(' ', seqrelid::regclass, seqtypid::regtype, seqstart, seqincrement, seqmax, seqmin, seqcache, seqcycle) as line from pg_sequence",
  functions: "select pg_get_functiondef(oid) as line from pg_proc where pronamespace = 'public'::regnamespace",
  triggers: 'select pg_get_triggerdef(oid) as line from pg_trigger where not tgisinternal',
  types:
    "select typname as line from pg_type where typnamespace = 'public'::regnamespace and typtype in ('e', 'd', 'r')",
  comments:
    "select concat_ws(' ', objoid::regclass, objsubid, description) as line from pg_description join pg_class on oid = objoid where " +
    OURS,
};
