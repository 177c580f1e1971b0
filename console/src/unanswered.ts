import { ApiError } from '@healthd/client';
import type { Query } from '@tanstack/react-query';

/** Answers that could not be read again: what is shown of them is from before. */
class Unanswered {
  private readonly hashes = new Set<string>();
  private readonly listeners = new Set<() => void>();

  /**
   * Keeps what is shown when reading it again fails because the service is away or fails itself. An answer that refuses the
   * request, such as that a person was deleted, stays an error.
   */
  keepWhatIsShown(error: Error, query: Query<unknown, unknown, unknown>): void {
    if (query.state.data === undefined || (error instanceof ApiError && error.status < 500)) return;
    query.setState({ status: 'success', error: null });
    this.hashes.add(query.queryHash);
    this.changed();
  }

  /** It has been read again, or nothing shows it any more. */
  answered(query: Query<unknown, unknown, unknown>): void {
    if (this.hashes.delete(query.queryHash)) this.changed();
  }

  has(query: Query): boolean {
    return this.hashes.has(query.queryHash);
  }

  get count(): number {
    return this.hashes.size;
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
