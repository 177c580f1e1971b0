import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, UnreachableError } from '@healthd/client';
import { MS_PER_MINUTE } from '@healthd/model';
import { EXIT } from '../exit-codes.js';
import { CliError } from '../failure.js';
import { durationText } from '../ui/amounts.js';

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 10_000;
/** Maximum wait. Longer than a restart or an update of the service takes. */
const AT_MOST_MS = 2 * MS_PER_MINUTE;

/** Status codes of a proxy while its service is down. */
const AWAY_STATUSES: readonly number[] = [502, 503, 504];

export interface AbsenceOptions {
  /** Command that resumes later, shown after the timeout. */
  resume: string;
  signal: AbortSignal;
  /** Timeout in milliseconds. Two minutes except in tests. */
  atMostMs?: number | undefined;
}

/** Waits with backoff for an unreachable service, up to a timeout. */
export class Absence {
  #sinceMs: number | undefined;
  #pauseMs = FIRST_PAUSE_MS;

  constructor(private readonly options: AbsenceOptions) {}

  /**
   * Resolves when the next request is due.
   * @throws the error itself if it does not mean that the service is down; CliError `unreachable` after the timeout
   */
  async waitAfter(error: unknown): Promise<void> {
    const { resume, signal, atMostMs = AT_MOST_MS } = this.options;
    if (signal.aborted || !isUnreachable(error)) throw error;
    this.#sinceMs ??= Date.now();
    if (Date.now() + this.#pauseMs - this.#sinceMs > atMostMs) {
      const time = durationText(Math.round(atMostMs / 1_000));
      throw new CliError(
        'unreachable',
        `The service has not responded for ${time}. Runs continue when the service is back.`,
        {
          hint: `Keep watching: ${resume}`,
          exitCode: EXIT.unreachable,
          cause: error,
        },
      );
    }
    await sleep(this.#pauseMs, undefined, { signal });
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, this.#pauseMs * 2);
  }

  /** Resets the wait. Call after a response from the service. */
  end(): void {
    this.#sinceMs = undefined;
    this.#pauseMs = FIRST_PAUSE_MS;
  }
}

/** True if there was no response, a proxy's response, or a truncated response. */
function isUnreachable(error: unknown): boolean {
  if (error instanceof ApiError) return AWAY_STATUSES.includes(error.status);
  const isCutOff = error instanceof TypeError || (error instanceof Error && error.name === 'TimeoutError');
  return isCutOff || error instanceof UnreachableError;
}
