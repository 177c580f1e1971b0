import { startTransition, useOptimistic } from 'react';
import { useSearchParams } from 'react-router';

/** New values of filters by name; an empty or undefined one takes the filter out of the address, the others stay. */
export type FilterChange = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Filters in the address, and how they are changed. */
export type Filters = readonly [URLSearchParams, (change: FilterChange, options?: { replace?: boolean }) => void];

/**
 * The filters of a view, which are in its address. The router changes the address in a transition; what was chosen shows
 * before that ends, so that a control never jumps back, and a second choice builds on the first.
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

/** The filters after a change; those that it does not name stay, in their order. */
export function changedFilters(filters: URLSearchParams, change: FilterChange): URLSearchParams {
  const next = new URLSearchParams(filters);
  for (const [name, value] of Object.entries(change)) {
    next.delete(name);
    for (const one of [value ?? []].flat()) if (one) next.append(name, one);
  }
  return next;
}
