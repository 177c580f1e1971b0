import { type Query, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { unanswered } from '../unanswered.js';

const AGAIN_MS = 5_000;

/** Notice that the service does not respond and the page shows earlier data. Refetches meanwhile. */
export function StaleNotice() {
  const queries = useQueryClient();
  const isStale = useSyncExternalStore(unanswered.subscribe, () => unanswered.isAnyShown());
  useEffect(() => {
    if (!isStale) return;
    // Refetches active queries only. Slow responses are awaited.
    const filter = { type: 'active', predicate: (query: Query) => unanswered.has(query) } as const;
    const readAgain = () => queries.refetchQueries(filter, { cancelRefetch: false });
    const timer = setInterval(() => void readAgain(), AGAIN_MS);
    return () => clearInterval(timer);
  }, [isStale, queries]);
  if (!isStale || !navigator.onLine) return null;
  return (
    <div className="offline" role="status">
      Some requests fail. The page shows earlier data and refreshes when the service responds.
    </div>
  );
}
