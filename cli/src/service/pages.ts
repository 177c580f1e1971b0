import type { Envelope } from '@healthd/schemas';

/** Rows that a command requests. */
export interface PageRequest {
  limit: number;
  /** If true, reads all pages, regardless of the limit. */
  all: boolean;
  /** Maximum page size of the route. */
  maxPage: number;
  cursor?: string;
}

/** Reads rows page by page, up to a limit. */
export class Pages<T> {
  /** Cursor of the next page. Undefined on the last page. Valid after all rows are read. */
  nextCursor: string | undefined;
  /** Number of matching rows, if the service counts them. */
  totalCount: number | undefined;

  constructor(
    private readonly request: PageRequest,
    private readonly fetchPage: (
      limit: number,
      cursor: string | undefined,
    ) => Promise<Pick<Envelope<T>, 'data' | 'pagination'>>,
  ) {
    this.nextCursor = request.cursor;
  }

  async *rows(): AsyncGenerator<T> {
    let left = this.request.all ? Number.POSITIVE_INFINITY : this.request.limit;
    while (left > 0) {
      const page = await this.fetchPage(Math.min(left, this.request.maxPage), this.nextCursor);
      this.totalCount ??= page.pagination.total_count ?? undefined;
      this.nextCursor = page.pagination.has_more ? (page.pagination.next_cursor ?? undefined) : undefined;
      yield* page.data;
      left -= page.data.length;
      if (this.nextCursor === undefined) return;
    }
  }
}
