import type { Envelope } from '@healthd/schemas';

/** How many rows are wanted. */
export interface Wanted {
  limit: number;
  /** Follow the pages to the end, with any limit. */
  all: boolean;
  /** Largest page that the route gives. */
  maxPage: number;
  cursor?: string;
}

/** Rows read page by page, at most as many as wanted. */
export class Pages<T> {
  /** Where the next rows begin; undefined when there are none. Valid once all rows are read. */
  nextCursor: string | undefined;
  /** Rows that match, when the service counts them. */
  totalCount: number | undefined;

  constructor(
    private readonly wanted: Wanted,
    private readonly fetchPage: (
      limit: number,
      cursor: string | undefined,
    ) => Promise<Pick<Envelope<T>, 'data' | 'pagination'>>,
  ) {
    this.nextCursor = wanted.cursor;
  }

  async *rows(): AsyncGenerator<T> {
    let left = this.wanted.all ? Number.POSITIVE_INFINITY : this.wanted.limit;
    while (left > 0) {
      const page = await this.fetchPage(Math.min(left, this.wanted.maxPage), this.nextCursor);
      this.totalCount ??= page.pagination.total_count ?? undefined;
      this.nextCursor = page.pagination.has_more ? (page.pagination.next_cursor ?? undefined) : undefined;
      yield* page.data;
      left -= page.data.length;
      if (this.nextCursor === undefined) return;
    }
  }
}
