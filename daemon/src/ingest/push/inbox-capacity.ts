import type pg from 'pg';
import { Failure } from '../../platform/failures.js';
import { waitingBytes } from './device-batches.js';

/** How long a look at the inbox is believed. */
const LOOK_EVERY_MS = 1_000;

/**
 * Keeps the inbox from filling the disk of the database while no worker empties it. Bytes are counted from the last look
 * on, so that a burst between two looks is not overlooked.
 */
export class InboxCapacity {
  private bytes = 0;
  private lookedAt = Number.NEGATIVE_INFINITY;
  private looking: Promise<void> | undefined;

  /** @param maxBytes bytes of all waiting bodies at most */
  constructor(
    private readonly pool: pg.Pool,
    private readonly maxBytes: number,
  ) {}

  /** @throws Failure `storage_full`: clients keep what they have and send it again later */
  async take(bytes: number): Promise<void> {
    if (performance.now() - this.lookedAt > LOOK_EVERY_MS) {
      this.looking ??= this.look().finally(() => {
        this.looking = undefined;
      });
      // Only the first look is waited for: later ones correct a figure that is a second old.
      if (this.lookedAt === Number.NEGATIVE_INFINITY) await this.looking;
      else this.looking.catch(() => undefined);
    }
    if (this.bytes + bytes > this.maxBytes) {
      throw new Failure('storage_full', 'Too many batches wait to be processed; send this one again later.');
    }
    this.bytes += bytes;
  }

  private async look(): Promise<void> {
    this.bytes = await waitingBytes(this.pool);
    this.lookedAt = performance.now();
  }
}
