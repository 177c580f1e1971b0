import { MS_PER_SECOND } from '@healthd/model';
import { Failure } from '../../platform/failures.js';

/** The slot of a delivery that is being received. */
export interface ReceivingPlace {
  /** Rejects with a failure `request_timeout` if receiving takes too long; never resolves. */
  tooSlow: Promise<never>;
  release(): void;
}

/** Limits the number of deliveries that a process receives concurrently, and the time of each. */
export class ReceivingPlaces {
  private taken = 0;

  constructor(
    private readonly max: number,
    private readonly seconds: number,
  ) {}

  /** @throws Failure `unavailable` while all slots are taken */
  take(): ReceivingPlace {
    if (this.taken >= this.max) {
      throw new Failure('unavailable', 'Too many deliveries are being received. Send this one again later.');
    }
    this.taken += 1;
    let timer: NodeJS.Timeout | undefined;
    const tooSlow = new Promise<never>((_, reject) => {
      const expire = () =>
        reject(
          new Failure('request_timeout', `The body did not arrive within ${this.seconds} seconds. Send it again.`, {
            headers: { Connection: 'close' },
          }),
        );
      timer = setTimeout(expire, this.seconds * MS_PER_SECOND);
    });
    // A rejection that no caller awaits must not crash the process.
    tooSlow.catch(() => undefined);
    let isTaken = true;
    return {
      tooSlow,
      release: () => {
        clearTimeout(timer);
        if (isTaken) this.taken -= 1;
        isTaken = false;
      },
    };
  }
}
