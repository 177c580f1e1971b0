import type { TroubledUsers } from '@healthd/schemas';

/** Name of the CSV of a group, without its ending. It says so where the file does not hold everyone. */
export function csvNameOf(
  cause: string,
  users: (Pick<TroubledUsers, 'total'> & { items: readonly unknown[] }) | undefined,
): string {
  if (users === undefined || users.items.length >= users.total) return cause;
  return `${cause}-newest-${users.items.length}-of-${users.total}`;
}
