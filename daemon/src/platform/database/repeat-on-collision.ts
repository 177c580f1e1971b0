import { setTimeout as sleep } from 'node:timers/promises';

/** SQLSTATEs of a deadlock and of a serialization failure. */
const COLLISIONS: ReadonlySet<unknown> = new Set(['40P01', '40001']);
const TRIES = 5;
const SHORTEST_PAUSE_MS = 20;

/**
 * Repeats work after a short random pause if the database ended its transaction because of a collision. The work must
 * have no effects outside of that transaction.
 * @throws the error of the last attempt
 */
export async function repeatOnCollision<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === TRIES || !isCollision(error)) throw error;
    }
    // Waits for a random time: if both transactions are repeated, equal pauses would make them collide again.
    await sleep(SHORTEST_PAUSE_MS * 2 ** tries * Math.random());
  }
}

function isCollision(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // Sequelize keeps the driver's error in `parent`.
  const { code, parent } = error as { code?: unknown; parent?: unknown };
  return COLLISIONS.has(code) || isCollision(parent);
}
