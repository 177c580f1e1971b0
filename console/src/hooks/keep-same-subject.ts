import type { QueryKey } from '@tanstack/react-query';

/**
 * Placeholder data for a query: keeps the previous data of the same subject while new data loads. Keys must match
 * except for the last part, and the user in the last part must match. Data of one user or series never appears under
 * another name.
 */
export function keepSameSubject(queryKey: QueryKey) {
  return <T>(previous: T | undefined, query: { queryKey: QueryKey } | undefined): T | undefined =>
    query !== undefined && subjectOf(query.queryKey) === subjectOf(queryKey) ? previous : undefined;
}

function subjectOf(queryKey: QueryKey): string {
  const last = queryKey.at(-1) as { user_id?: string } | undefined;
  return JSON.stringify([...queryKey.slice(0, -1), last?.user_id]);
}
