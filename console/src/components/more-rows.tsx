import { formatCount } from '../format.js';
import { Problem } from './problem.js';

interface MoreRowsProps {
  /** Number of displayed rows. */
  count: number;
  pages: {
    error: Error | null;
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    fetchNextPage: () => unknown;
  };
}

/** Loads the next page of a long list. */
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
