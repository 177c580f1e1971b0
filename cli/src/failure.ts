import { ApiError, UnreachableError } from '@healthd/client';
import { EXIT, type ExitCode } from './exit-codes.js';

/** Expected failure of a command. The message states the failure, the hint the next step. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly hint: string | undefined;
  readonly exitCode: ExitCode;

  constructor(
    /** Stable error code for scripts. */
    readonly code: string,
    message: string,
    options: { hint?: string; exitCode?: ExitCode; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.hint = options.hint;
    this.exitCode = options.exitCode ?? EXIT.failed;
  }
}

/** Output of a failure. `code`, `message`, `hint` and `requestId` are also its JSON form. */
export interface Failure {
  code: string;
  message: string;
  hint?: string;
  requestId?: string;
  exitCode: ExitCode;
}

/** Converts a thrown error to output and exit code. */
export function failureOf(error: unknown): Failure {
  if (error instanceof CliError) {
    return { code: error.code, message: error.message, hint: error.hint, exitCode: error.exitCode };
  }
  if (error instanceof ApiError) return apiFailure(error);
  if (error instanceof UnreachableError) return unreachable(error);
  if (isInterruption(error)) return { code: 'interrupted', message: 'Interrupted.', exitCode: EXIT.interrupted };
  return { code: 'failed', message: error instanceof Error ? error.message : String(error), exitCode: EXIT.failed };
}

/** Returns the JSON form of a failure. */
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
    hint: '`healthctl login` stores a new credential; `healthctl whoami` shows which credential is in use.',
  },
  403: { code: 'forbidden', exitCode: EXIT.denied },
  404: { code: 'not_found', exitCode: EXIT.failed },
  409: { code: 'conflict', exitCode: EXIT.failed },
  410: { code: 'gone', exitCode: EXIT.failed },
  413: {
    code: 'too_large',
    exitCode: EXIT.failed,
    hint: 'IMPORT_MAX_BYTES limits the size of uploads.',
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
  return error.requestId ? 'See the service log for this request id.' : undefined;
}

function unreachable(error: UnreachableError): Failure {
  const same = { code: 'unreachable', exitCode: EXIT.unreachable };
  if (error.isLate) {
    return {
      ...same,
      message: `${error.message}.`,
      hint: 'The service may be busy, and may have made the change: check before you retry. `healthctl doctor` checks the service.',
    };
  }
  return {
    ...same,
    message: `Cannot reach a service at ${error.baseUrl}.`,
    hint: 'Start the service with `npm start`, or pass another URL with --url or HEALTHCTL_URL.',
  };
}

/** True for Ctrl-C, also at a prompt. */
function isInterruption(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'ExitPromptError');
}
