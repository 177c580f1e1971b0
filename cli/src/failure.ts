import { ApiError, UnreachableError } from '@healthd/client';
import { EXIT, type ExitCode } from './exit-codes.js';

/** An expected failure of a command. The message says what happened, the hint what to do. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly hint: string | undefined;
  readonly exitCode: ExitCode;

  constructor(
    /** Stable, for scripts that read errors as JSON. */
    readonly code: string,
    message: string,
    options: { hint?: string; exitCode?: ExitCode; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.hint = options.hint;
    this.exitCode = options.exitCode ?? EXIT.failed;
  }
}

/** A failure as it is shown. `code`, `message`, `hint` and `requestId` are also its JSON form. */
export interface Failure {
  code: string;
  message: string;
  hint?: string;
  requestId?: string;
  exitCode: ExitCode;
}

/** Turns what was thrown into what is shown and the exit code. */
export function failureOf(error: unknown): Failure {
  if (error instanceof CliError) {
    return { code: error.code, message: error.message, hint: error.hint, exitCode: error.exitCode };
  }
  if (error instanceof ApiError) return apiFailure(error);
  if (error instanceof UnreachableError) return unreachable(error);
  if (isInterruption(error)) return { code: 'interrupted', message: 'Interrupted.', exitCode: EXIT.interrupted };
  return { code: 'failed', message: error instanceof Error ? error.message : String(error), exitCode: EXIT.failed };
}

/** The form of a failure in JSON mode. */
export function failureJson(failure: Failure): Record<string, string | null> {
  return {
    code: failure.code,
    message: failure.message,
    hint: failure.hint ?? null,
    request_id: failure.requestId ?? null,
  };
}

const BY_STATUS: Record<number, { code: string; exitCode: ExitCode; hint?: string }> = {
  400: { code: 'bad_request', exitCode: EXIT.usage },
  401: {
    code: 'not_authenticated',
    exitCode: EXIT.denied,
    hint: '`healthctl login` stores a new credential; `healthctl whoami` shows which one was used.',
  },
  403: { code: 'forbidden', exitCode: EXIT.denied },
  404: { code: 'not_found', exitCode: EXIT.failed },
  409: { code: 'conflict', exitCode: EXIT.failed },
  410: { code: 'gone', exitCode: EXIT.failed },
  413: {
    code: 'too_large',
    exitCode: EXIT.failed,
    hint: 'The service limits uploads with the setting IMPORT_MAX_BYTES.',
  },
  422: { code: 'invalid_input', exitCode: EXIT.usage },
  429: { code: 'throttled', exitCode: EXIT.failed },
};

function apiFailure(error: ApiError): Failure {
  const known = BY_STATUS[error.status] ?? { code: 'service_failed', exitCode: EXIT.failed };
  const wait = error.retryAfterSeconds;
  return {
    ...known,
    message: error.message,
    hint: wait === undefined ? (known.hint ?? logHint(error)) : `Try again in ${wait} s.`,
    requestId: error.requestId,
  };
}

function logHint(error: ApiError): string | undefined {
  if (error.status < 500) return undefined;
  return error.requestId ? 'The log of the service says more under this request id.' : undefined;
}

function unreachable(error: UnreachableError): Failure {
  const same = { code: 'unreachable', exitCode: EXIT.unreachable };
  if (error.isLate) {
    return {
      ...same,
      message: `${error.message}.`,
      hint: 'The service may be busy, and a change may still have been made: look before you try again. `healthctl doctor` examines the service.',
    };
  }
  return {
    ...same,
    message: `Nothing answers at ${error.baseUrl}.`,
    hint: 'Start the service with `npm start`, or name another address with --url or HEALTHCTL_URL.',
  };
}

/** Ctrl-C, on the keyboard or at a prompt. */
function isInterruption(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'ExitPromptError');
}
