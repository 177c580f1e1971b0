import { setTimeout as sleep } from 'node:timers/promises';

/** SQLSTATE of a transaction that was ended because it and another one waited for each other, or changed the same. */
const COLLISIONS: ReadonlySet<unknown> = new Set(['40P01', '40001']);
const TRIES = 5;
const SHORTEST_PAUSE_MS = 20;

/**
 * Does a piece of work again, after a short pause of its own, when the database ended its transaction because it collided with
 * another one. What it does must have no effect outside of that transaction.
 * @throws what the last try threw
 */
export async function repeatOnCollision<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === TRIES || !isCollision(error)) throw error;
    }
    // Both may be repeated: equal pauses would have them collide again.
    await sleep(SHORTEST_PAUSE_MS * 2 ** tries * Math.random());
  }
}

function isCollision(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // Sequelize keeps the driver's error in `parent`.
  const { code, parent } = error as { code?: unknown; parent?: unknown };
  return COLLISIONS.has(code) || isCollision(parent);
}
