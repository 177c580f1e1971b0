import type { Problem } from '@healthd/schemas';

/** The service answered with an error. `message` is fit to be shown. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly status: number,
    message: string,
    /** Rows of a validation error; empty for every other error. */
    readonly problems: readonly Problem[],
    /** Leads to the service's log. */
    readonly requestId: string | undefined,
    /** Seconds after which to try again, when the service says so. */
    readonly retryAfterSeconds: number | undefined,
  ) {
    super(message);
  }
}

/** No answer came: the service is not running, or not at this address. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';

  constructor(
    readonly baseUrl: string,
    cause: unknown,
  ) {
    super(`No answer from ${baseUrl}`, { cause });
  }
}

/** Reads an error answer of the service, or of a proxy in front of it. */
export async function errorOf(response: Response): Promise<ApiError> {
  const detail = detailOf(await response.text().catch(() => ''));
  const problems = Array.isArray(detail) ? (detail as Problem[]) : [];
  const message = typeof detail === 'string' ? detail : problems.map(problemText).join('; ');
  const after = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new ApiError(
    response.status,
    message || `The service answered ${response.status}`,
    problems,
    response.headers.get('x-request-id') ?? undefined,
    Number.isFinite(after) ? after : undefined,
  );
}

/** One row of a validation error as a person reads it: where, then what. */
function problemText(problem: Problem): string {
  return `${problem.loc.slice(1).join('.') || problem.loc[0] || 'request'}: ${problem.msg}`;
}

function detailOf(text: string): unknown {
  try {
    return (JSON.parse(text) as { detail?: unknown }).detail;
  } catch {
    return undefined;
  }
}
