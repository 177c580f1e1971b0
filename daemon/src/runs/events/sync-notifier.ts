import type pg from 'pg';

/** Postgres channel that announces users with new sync events. The payload is the internal user key. */
export const SYNC_CHANNEL = 'healthd_sync';

/** A burst of steps becomes one notification per user. */
const COALESCE_MS = 20;

/** Call after a commit with new sync events of a user. */
export interface SyncNotifier {
  changed(userKey: number): void;
}

/**
 * Notifies listeners through Postgres, at most once per user and 20 ms. Callers do not wait, and a lost notification
 * loses no data: events are rows, and listeners poll from time to time.
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
