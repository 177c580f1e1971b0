import type { Envelope } from '@healthd/schemas';

interface Page<T> {
  data: readonly T[];
  pagination: Pick<Envelope<T>['pagination'], 'next_cursor'>;
}

/** Reads all pages of a list. */
export async function* readPages<T>(
  readPage: (cursor: string | undefined) => Promise<Page<T>>,
): AsyncGenerator<readonly T[]> {
  for (let cursor: string | undefined; ; ) {
    const { data, pagination } = await readPage(cursor);
    yield data;
    cursor = pagination.next_cursor ?? undefined;
    if (cursor === undefined) return;
  }
}

/** Reads all pages of a list that uses the previous page's last row as cursor. Stops at the first partial page. */
export async function* readBehindLast<T>(
  limit: number,
  readPage: (last: T | undefined) => Promise<readonly T[]>,
): AsyncGenerator<readonly T[]> {
  for (let last: T | undefined; ; ) {
    const rows = await readPage(last);
    yield rows;
    last = rows.at(-1);
    if (rows.length < limit) return;
  }
}
