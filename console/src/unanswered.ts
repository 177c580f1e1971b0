import { ApiError } from '@healthd/client';
import type { Query } from '@tanstack/react-query';

/** Answers that could not be read again: what is shown of them is from before. */
class Unanswered {
  private readonly queries = new Set<Pick<Query, 'isActive'>>();
  private readonly listeners = new Set<() => void>();

  /**
   * Keeps what is shown when reading it again fails because the service is away or fails itself. An answer that refuses the
   * request, such as that a person was deleted, stays an error; so does a further page of a list that could not be read.
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

  /** A further page of a list says nothing of those before it. */
  readAgain(query: Query<unknown, unknown, unknown>): void {
    if (!query.state.fetchMeta?.fetchMore) this.answered(query);
  }

  /** It has been answered again, or was removed from the cache. */
  answered(query: Pick<Query, 'isActive'>): void {
    if (this.queries.delete(query)) this.changed();
  }

  /** A page begins or ceases to show it. */
  shownOrHidden(query: Pick<Query, 'isActive'>): void {
    if (this.has(query)) this.changed();
  }

  has(query: Pick<Query, 'isActive'>): boolean {
    return this.queries.has(query);
  }

  /** Whether the page shows one of them. */
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
