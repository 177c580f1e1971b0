import { ApiError } from '@healthd/client';
import type { Query } from '@tanstack/react-query';

/** Tracks queries whose refetch failed. For these queries, the page shows old data. */
class Unanswered {
  private readonly queries = new Set<Pick<Query, 'isActive'>>();
  private readonly listeners = new Set<() => void>();

  /**
   * Keeps displayed data when a refetch fails because of a network or server error. Rejected requests, such as for a
   * deleted user, and failed further pages remain errors.
   */
  keepWhatIsShown(error: Error, query: Query<unknown, unknown, unknown>): void {
    if (query.state.fetchMeta?.fetchMore) return;
    if (query.state.data === undefined || (error instanceof ApiError && error.status < 500)) {
      this.answered(query);
      return;
    }
    query.setState({ status: 'success', error: null });
    this.queries.add(query);
    this.changed();
  }

  /** Call when a query succeeds. A loaded further page does not refresh the earlier pages. */
  readAgain(query: Query<unknown, unknown, unknown>): void {
    if (!query.state.fetchMeta?.fetchMore) this.answered(query);
  }

  /** Removes a query that no longer shows old data: the query succeeded, was rejected or left the cache. */
  answered(query: Pick<Query, 'isActive'>): void {
    if (this.queries.delete(query)) this.changed();
  }

  /** Call when a page mounts or unmounts the query. */
  shownOrHidden(query: Pick<Query, 'isActive'>): void {
    if (this.has(query)) this.changed();
  }

  has(query: Pick<Query, 'isActive'>): boolean {
    return this.queries.has(query);
  }

  /** True if the page shows a query whose refetch failed. */
  isAnyShown(): boolean {
    return [...this.queries].some((query) => query.isActive());
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  private changed(): void {
    for (const listener of this.listeners) listener();
  }
}

export const unanswered = new Unanswered();
