import type { Problem } from '@healthd/schemas';

/** An error response from the service. `message` is safe to display. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly status: number,
    message: string,
    /** Rows of a validation error; empty for all other errors. */
    readonly problems: readonly Problem[],
    /** Id of the request in the service's log. */
    readonly requestId: string | undefined,
    /** Retry delay in seconds, if the service sent one. */
    readonly retryAfterSeconds: number | undefined,
  ) {
    super(message);
  }
}

/** Thrown if the service does not respond: it is not running, or not at this URL. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';

  constructor(
    readonly baseUrl: string,
    cause: unknown,
  ) {
    super(
      isTimeout(cause) ? `The service at ${baseUrl} did not respond in time` : `Cannot reach the service at ${baseUrl}`,
      { cause },
    );
  }

  /** True if the service did not respond in time, as opposed to being unreachable. */
  get isLate(): boolean {
    return isTimeout(this.cause);
  }
}

function isTimeout(cause: unknown): boolean {
  return cause instanceof Error && cause.name === 'TimeoutError';
}

/** Reads an error response of the service in all its formats, or of a proxy. */
export async function errorOf(response: Response): Promise<ApiError> {
  const body = membersOf(await response.text().catch(() => ''));
  const problems = [body.detail, body.errors].find(Array.isArray)?.filter(isProblem) ?? [];
  const message = textOf(body.detail) ?? (problems.map(problemText).join('; ') || textOf(body.title));
  const after = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new ApiError(
    response.status,
    message ?? `The service returned status ${response.status}`,
    problems,
    response.headers.get('x-request-id') ?? textOf(body.request_id) ?? textOf(body.instance),
    Number.isFinite(after) ? after : undefined,
  );
}

/** Formats one row of a validation error: location, then message. */
function problemText(problem: Problem): string {
  return `${problem.loc.slice(1).join('.') || problem.loc[0] || 'request'}: ${problem.msg}`;
}

/**
 * Returns the members of an error response. `detail` is text or the rows of a validation error. In compat mode,
 * `errors` contains the rows. A proxy sends the members of RFC 9457. All members are undefined if the text is not a
 * JSON object.
 */
function membersOf(text: string): Record<'detail' | 'errors' | 'title' | 'instance' | 'request_id', unknown> {
  const nothing = {
    detail: undefined,
    errors: undefined,
    title: undefined,
    instance: undefined,
    request_id: undefined,
  };
  try {
    return { ...nothing, ...(JSON.parse(text) as object | null) };
  } catch {
    return nothing;
  }
}

function isProblem(row: unknown): row is Problem {
  const { loc, msg } = (row ?? {}) as Partial<Problem>;
  return Array.isArray(loc) && typeof msg === 'string';
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
