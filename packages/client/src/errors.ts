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
    super(isTimeout(cause) ? `${baseUrl} did not answer in time` : `No answer from ${baseUrl}`, { cause });
  }

  /** Whether the service was reached, as far as is known, and did not answer in time. */
  get isLate(): boolean {
    return isTimeout(this.cause);
  }
}

function isTimeout(cause: unknown): boolean {
  return cause instanceof Error && cause.name === 'TimeoutError';
}

/** Reads an error answer of the service, in each of its forms, or of a proxy in front of it. */
export async function errorOf(response: Response): Promise<ApiError> {
  const body = membersOf(await response.text().catch(() => ''));
  const problems = [body.detail, body.errors].find(Array.isArray)?.filter(isProblem) ?? [];
  const message = textOf(body.detail) ?? (problems.map(problemText).join('; ') || textOf(body.title));
  const after = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new ApiError(
    response.status,
    message ?? `The service answered ${response.status}`,
    problems,
    response.headers.get('x-request-id') ?? textOf(body.request_id) ?? textOf(body.instance),
    Number.isFinite(after) ? after : undefined,
  );
}

/** One row of a validation error as a person reads it: where, then what. */
function problemText(problem: Problem): string {
  return `${problem.loc.slice(1).join('.') || problem.loc[0] || 'request'}: ${problem.msg}`;
}

/**
 * What an error answer may hold: `detail` as text, or as the rows of a validation error; in compat mode a text with the rows
 * in `errors`; of a proxy the members of RFC 9457. Empty for what is no JSON object.
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
