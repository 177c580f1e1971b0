import type pg from 'pg';

/** Something that a transaction needs and must not wait for while it holds locks, such as a thread. */
export interface Prerequisite<Held = unknown> {
  /** Waits until the transaction can have it. */
  acquire(): Promise<Held>;
  release(held: Held): void;
}

/**
 * Thrown within a transaction that turns out to need something. The transaction is rolled back, waits without a connection
 * or a lock, and begins again.
 */
export class PrerequisiteMissingError extends Error {
  override readonly name = 'PrerequisiteMissingError';
  readonly code = 'prerequisite_missing';

  constructor(readonly prerequisite: Prerequisite) {
    super('The transaction needs something that it must wait for first.');
  }
}

/** What the transactions of connections hold. */
const HELD = new WeakMap<pg.ClientBase, ReadonlyMap<Prerequisite, unknown>>();

/** What the transaction of a connection holds of a prerequisite; undefined if it did not wait for it. */
export function heldIn<Held>(client: pg.ClientBase, prerequisite: Prerequisite<Held>): Held | undefined {
  return HELD.get(client)?.get(prerequisite as Prerequisite) as Held | undefined;
}

/**
 * Runs a transaction, again each time that it misses something.
 * @param needed what the transaction is known to need
 * @param attempt runs the transaction; `onBegin` must be called with its connection
 */
export async function withPrerequisites<T>(
  needed: Prerequisite | undefined,
  attempt: (onBegin: (client: pg.ClientBase) => void) => Promise<T>,
): Promise<T> {
  const held = new Map<Prerequisite, unknown>();
  try {
    if (needed) held.set(needed, await needed.acquire());
    for (;;) {
      let connection: pg.ClientBase | undefined;
      try {
        return await attempt((client) => {
          connection = client;
          HELD.set(client, held);
        });
      } catch (error) {
        if (!(error instanceof PrerequisiteMissingError) || held.has(error.prerequisite)) throw error;
        held.set(error.prerequisite, await error.prerequisite.acquire());
      } finally {
        if (connection) HELD.delete(connection);
      }
    }
  } finally {
    for (const [prerequisite, one] of held) prerequisite.release(one);
  }
}
