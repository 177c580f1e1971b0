import { formatCount } from '../format.js';

interface MoreRowsProps {
  /** Rows that are shown. */
  count: number;
  pages: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
}

/** Below a list without an end: the way to its next page. */
export function MoreRows({ count, pages }: MoreRowsProps) {
  if (!pages.hasNextPage) return null;
  return (
    <div className="row">
      <button type="button" disabled={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
        {pages.isFetchingNextPage ? 'Loading…' : 'Show more'}
      </button>
      <span className="muted">{formatCount(count)} shown</span>
    </div>
  );
}
