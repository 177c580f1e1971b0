import { formatCount } from '../format.js';
import { Problem } from './problem.js';

interface MoreRowsProps {
  /** Rows that are shown. */
  count: number;
  pages: {
    error: Error | null;
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    fetchNextPage: () => unknown;
  };
}

/** Below a list without an end: the way to its next page. */
export function MoreRows({ count, pages }: MoreRowsProps) {
  if (!pages.hasNextPage) return null;
  return (
    <>
      {pages.error && pages.isFetchNextPageError && <Problem error={pages.error} />}
      <div className="row">
        <button type="button" disabled={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
          {pages.isFetchingNextPage ? 'Loading…' : 'Show more'}
        </button>
        <span className="muted">{formatCount(count)} shown</span>
      </div>
    </>
  );
}
