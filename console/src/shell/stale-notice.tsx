import { type Query, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { unanswered } from '../unanswered.js';

const AGAIN_MS = 5_000;

/** Says that the service does not answer, and that what is shown is therefore from before; reads it again meanwhile. */
export function StaleNotice() {
  const queries = useQueryClient();
  const isStale = useSyncExternalStore(unanswered.subscribe, () => unanswered.isAnyShown());
  useEffect(() => {
    if (!isStale) return;
    // Only what is shown; an answer that takes longer is waited for.
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
