import type pg from 'pg';

/** Postgres channel for users with new sync events. The payload is the internal user key. */
export const SYNC_CHANNEL = 'healthd_sync';

/** Time over which steps are collected, so that a burst causes one notification per user. */
const COALESCE_MS = 20;

/** Notifies listeners of new sync events. */
export interface SyncNotifier {
  /** Call after a commit with new events of this user. */
  changed(userKey: number): void;
}

/**
 * Creates a notifier that uses Postgres, with at most one notification per user and 20 ms. Callers do not wait. A lost
 * notification loses no data: events are rows, and listeners also poll.
 */
export function createSyncNotifier(pool: pg.Pool, onError: (error: unknown) => void = () => {}): SyncNotifier {
  const waiting = new Set<number>();
  const flush = (): void => {
    const keys = [...waiting];
    waiting.clear();
    pool
      .query('select pg_notify($1, key) from unnest($2::text[]) as key', [SYNC_CHANNEL, keys.map(String)])
      .catch(onError);
  };
  return {
    changed(userKey) {
      if (waiting.size === 0) setTimeout(flush, COALESCE_MS).unref();
      waiting.add(userKey);
    },
  };
}
