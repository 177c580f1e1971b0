import type { Envelope } from '@healthd/schemas';

/** Reads a list page by page, until it ends or has so many rows. */
export async function readPages<T>(
  limit: number,
  readPage: (cursor: string | undefined) => Promise<Pick<Envelope<T>, 'data' | 'pagination'>>,
): Promise<T[]> {
  const rows: T[] = [];
  let cursor: string | undefined;
  do {
    const page = await readPage(cursor);
    rows.push(...page.data);
    cursor = page.pagination.next_cursor ?? undefined;
  } while (cursor !== undefined && rows.length < limit);
  return rows.slice(0, limit);
}
