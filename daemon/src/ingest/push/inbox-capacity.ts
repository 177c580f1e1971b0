import type pg from 'pg';
import { Failure } from '../../platform/failures.js';
import { waitingBytes } from './device-batches.js';

/** Maximum age of the measured inbox size. */
const POLL_MS = 1_000;

/**
 * Keeps the inbox from filling the database's disk while no worker empties it. Adds received bytes to the last
 * measurement, so that a burst between two measurements counts.
 */
export class InboxCapacity {
  private bytes = 0;
  private lookedAt = Number.NEGATIVE_INFINITY;
  private looking: Promise<void> | undefined;

  /** @param maxBytes maximum total size of all waiting bodies */
  constructor(
    private readonly pool: pg.Pool,
    private readonly maxBytes: number,
  ) {}

  /** @throws Failure `storage_full` if too many batches wait; clients keep their data and send it again later */
  async take(bytes: number): Promise<void> {
    if (performance.now() - this.lookedAt > POLL_MS) {
      this.looking ??= this.look().finally(() => {
        this.looking = undefined;
      });
      // Waits only for the first measurement. Later measurements run in the background and correct a figure that is at
      // most a second old.
      if (this.lookedAt === Number.NEGATIVE_INFINITY) await this.looking;
      else this.looking.catch(() => undefined);
    }
    if (this.bytes + bytes > this.maxBytes) {
      throw new Failure('storage_full', 'Too many batches are waiting to be processed. Send this one again later.');
    }
    this.bytes += bytes;
  }

  private async look(): Promise<void> {
    this.bytes = await waitingBytes(this.pool);
    this.lookedAt = performance.now();
  }
}
