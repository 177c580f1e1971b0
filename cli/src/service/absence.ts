import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, UnreachableError } from '@healthd/client';
import { MS_PER_MINUTE } from '@healthd/model';
import { EXIT } from '../exit-codes.js';
import { CliError } from '../failure.js';
import { durationText } from '../ui/amounts.js';

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 10_000;
/** A service that restarts, or is updated, is there again by then. */
const AT_MOST_MS = 2 * MS_PER_MINUTE;

/** What a proxy answers while the service behind it is away. */
const AWAY_STATUSES: readonly number[] = [502, 503, 504];

export interface AbsenceOptions {
  /** The command that goes on later, shown when the service is given up. */
  resume: string;
  signal: AbortSignal;
  /** Milliseconds after which the service is given up; two minutes unless a test says otherwise. */
  atMostMs?: number | undefined;
}

/** Waits for a service that is away while something is followed, longer each time, and gives it up in the end. */
export class Absence {
  #sinceMs: number | undefined;
  #pauseMs = FIRST_PAUSE_MS;

  constructor(private readonly options: AbsenceOptions) {}

  /**
   * Ends when the service is to be asked again.
   * @throws the error itself where it says anything else than that the service is away, CliError `unreachable` after the limit
   */
  async waitAfter(error: unknown): Promise<void> {
    const { resume, signal, atMostMs = AT_MOST_MS } = this.options;
    if (signal.aborted || !isAway(error)) throw error;
    this.#sinceMs ??= Date.now();
    if (Date.now() + this.#pauseMs - this.#sinceMs > atMostMs) {
      const time = durationText(Math.round(atMostMs / 1_000));
      throw new CliError(
        'unreachable',
        `The service has not answered for ${time}. What it began goes on when it is back.`,
        {
          hint: `Go on watching: ${resume}`,
          exitCode: EXIT.unreachable,
          cause: error,
        },
      );
    }
    await sleep(this.#pauseMs, undefined, { signal });
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, this.#pauseMs * 2);
  }

  /** The service has answered. */
  end(): void {
    this.#sinceMs = undefined;
    this.#pauseMs = FIRST_PAUSE_MS;
  }
}

/** No answer, one of a proxy, or one that was cut off in the middle: what fetch throws then. */
function isAway(error: unknown): boolean {
  if (error instanceof ApiError) return AWAY_STATUSES.includes(error.status);
  const isCutOff = error instanceof TypeError || (error instanceof Error && error.name === 'TimeoutError');
  return isCutOff || error instanceof UnreachableError;
}
