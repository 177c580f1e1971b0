import { startTransition, useOptimistic } from 'react';
import { useSearchParams } from 'react-router';

/** New filter values by name. Empty and undefined values remove the filter. Other filters do not change. */
export type FilterChange = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Filters in the URL and their setter. */
export type Filters = readonly [URLSearchParams, (change: FilterChange, options?: { replace?: boolean }) => void];

/**
 * Returns the filters in the URL. The router updates the URL in a transition. Pending values show immediately, so that
 * controls never jump back and later changes build on them.
 */
export function useFilters(): Filters {
  const [stored, store] = useSearchParams();
  const [filters, show] = useOptimistic(stored);
  const change: Filters[1] = (changed, options) => {
    const next = changedFilters(filters, changed);
    startTransition(() => {
      show(next);
      store(next, options);
    });
  };
  return [filters, change];
}

/** Applies a change to the filters. Unnamed filters keep their value and order. */
export function changedFilters(filters: URLSearchParams, change: FilterChange): URLSearchParams {
  const next = new URLSearchParams(filters);
  for (const [name, value] of Object.entries(change)) {
    next.delete(name);
    for (const one of [value ?? []].flat()) if (one) next.append(name, one);
  }
  return next;
}
