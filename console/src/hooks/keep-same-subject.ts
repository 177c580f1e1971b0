import type { QueryKey } from '@tanstack/react-query';

/**
 * Placeholder data for a query: what was shown before stays while the next is read, but only of the same subject. Keys
 * agree in all but their last part, which says what of the subject is read, and in the user that this part may name:
 * figures of one person or series never stand under the name of another.
 */
export function keepSameSubject(queryKey: QueryKey) {
  return <T>(previous: T | undefined, query: { queryKey: QueryKey } | undefined): T | undefined =>
    query !== undefined && subjectOf(query.queryKey) === subjectOf(queryKey) ? previous : undefined;
}

function subjectOf(queryKey: QueryKey): string {
  const last = queryKey.at(-1) as { user_id?: string } | undefined;
  return JSON.stringify([...queryKey.slice(0, -1), last?.user_id]);
}
