import type pg from 'pg';

/**
 * Returns an SQL condition that is true for sources of clouds whose samples are never archived. Merged totals span the
 * sources of one account, so an account is archived completely or not at all. Only sources that earlier releases stored
 * share an account with pushes or files.
 * @param providers parameter with the providers
 */
export function isNeverArchived(source: string, providers: string): string {
  return `(${source}.provider = any (${providers}::text[]) and exists (
    select from data_source spared
     where spared.user_key = ${source}.user_key and spared.provider = ${source}.provider and spared.from_cloud
       and spared.account is not distinct from ${source}.account))`;
}

/** Returns a user's sources that may be archived; undefined if all sources may be archived. */
export async function archivableSources(
  client: pg.ClientBase | pg.Pool,
  userKey: number,
  neverArchived: readonly string[],
): Promise<number[] | undefined> {
  if (neverArchived.length === 0) return undefined;
  const { rows } = await (client as pg.Pool).query<{ source_id: number; is_spared: boolean }>({
    name: 'records-never-archived',
    text: `select s.source_id, ${isNeverArchived('s', '$2')} as is_spared from data_source s where s.user_key = $1`,
    values: [userKey, neverArchived],
  });
  const archivable = rows.filter((row) => !row.is_spared);
  return archivable.length === rows.length ? undefined : archivable.map((row) => row.source_id);
}

/**
 * SQL for days with samples that can still be archived. Reads daily figures, because a search in samples would reread
 * the permanently stored samples each time. Parameters: user, series, end, sources, start or null.
 */
export const PENDING_DAYS = `
select v.type_id, v.local_date as date from day_value v
 where v.user_key = $1 and v.type_id = any ($2::int2[]) and v.local_date < $3::date and v.source_id = any ($4::int[])
   and ($5::date is null or v.local_date >= $5::date)
   and v.sample_count > coalesce((
     select a.sample_count from day_archive a
      where a.user_key = $1 and a.type_id = v.type_id and a.local_date = v.local_date and a.source_id = v.source_id), 0)`;
