import type pg from 'pg';

/** A resource, such as a thread, that a transaction needs but must not wait for while it holds locks. */
export interface Prerequisite<Held = unknown> {
  /** Waits until the resource is available. */
  acquire(): Promise<Held>;
  release(held: Held): void;
}

/**
 * Thrown inside a transaction that needs a resource which it does not hold. The transaction is rolled back. It starts
 * again when the resource is available; until then it holds no connection and no lock.
 */
export class PrerequisiteMissingError extends Error {
  override readonly name = 'PrerequisiteMissingError';
  readonly code = 'prerequisite_missing';

  constructor(readonly prerequisite: Prerequisite) {
    super('The transaction must first wait for a resource.');
  }
}

/** Resources that each connection's transaction holds. */
const HELD = new WeakMap<pg.ClientBase, ReadonlyMap<Prerequisite, unknown>>();

/** Returns the resource that a connection's transaction holds; undefined if it was not acquired. */
export function heldIn<Held>(client: pg.ClientBase, prerequisite: Prerequisite<Held>): Held | undefined {
  return HELD.get(client)?.get(prerequisite as Prerequisite) as Held | undefined;
}

/**
 * Runs a transaction, and runs it again whenever it throws {@link PrerequisiteMissingError}.
 * @param needed prerequisite to acquire before the first attempt
 * @param attempt runs the transaction; must call `onBegin` with its connection
 */
export async function withPrerequisites<T>(
  needed: Prerequisite | undefined,
  attempt: (onStart: (client: pg.ClientBase) => void) => Promise<T>,
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
