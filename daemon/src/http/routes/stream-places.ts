import { Failure } from '../../platform/failures.js';
import { actorOf } from '../audit-row.js';
import type { Caller } from '../binding.js';

const RETRY_AFTER_SECONDS = '60';

/** How many streams each caller has open at this process. */
export class StreamPlaces {
  private readonly open = new Map<string, number>();

  constructor(private readonly perCaller: number) {}

  /**
   * Counts a stream of the caller until the client leaves.
   * @throws Failure `too_many_requests`
   */
  take(caller: Caller, left: AbortSignal): void {
    if (left.aborted) return;
    const name = actorOf(caller).join(' ');
    const open = this.open.get(name) ?? 0;
    if (open >= this.perCaller) {
      throw new Failure(
        'too_many_requests',
        `${this.perCaller} streams of these credentials are open. End one of them, or follow all users on one stream.`,
        { headers: { 'Retry-After': RETRY_AFTER_SECONDS } },
      );
    }
    this.open.set(name, open + 1);
    left.addEventListener('abort', () => this.leave(name), { once: true });
  }

  private leave(name: string): void {
    const open = (this.open.get(name) ?? 0) - 1;
    if (open > 0) this.open.set(name, open);
    else this.open.delete(name);
  }
}
