import { type Answer, ResponseError, html, json } from '../response.js';

const STATUS_OF_CODE: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ALREADY_EXISTS',
  412: 'FAILED_PRECONDITION',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

/** Fields of the vendor's error envelope that do not follow from the HTTP code. */
export interface FailureDetails {
  message: string;
  /** Default: the usual status of the HTTP code. */
  status?: string;
  reason?: string;
  metadata?: Record<string, string>;
  /** Field and description of a BadRequest detail. */
  violation?: { field: string; description: string };
  headers?: Record<string, string>;
}

/** Returns an error response in the envelope of the vendor's APIs. */
export function failureResponse(code: number, details: FailureDetails): Answer {
  const { message, reason, metadata, violation } = details;
  const list: unknown[] = [];
  if (reason !== undefined) {
    list.push({
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason,
      domain: 'health.googleapis.com',
      metadata,
    });
  }
  if (violation !== undefined) {
    list.push({ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: [violation] });
  }
  const status = details.status ?? STATUS_OF_CODE[code] ?? 'UNKNOWN';
  const error = { code, message, status, details: list.length > 0 ? list : undefined };
  return json(code, { error }, details.headers);
}

/** Returns an error for handlers to throw. The server sends it as the response. */
export function apiFailure(code: number, details: FailureDetails): ResponseError {
  return new ResponseError(failureResponse(code, details));
}

/** Returns a 400 without a reason. */
export function badRequest(message: string, field?: string): ResponseError {
  return apiFailure(400, { message, violation: field === undefined ? undefined : { field, description: message } });
}

/** Returns the front end's HTML page for an unknown path or method. */
export function notFoundPage({ path }: { path: string }): Answer {
  const shown = path.replace(/[<>&"]/g, '');
  return html(
    404,
    'Error 404 (Not Found)!!1',
    `<p><b>404.</b> The requested URL <code>${shown}</code> was not found.</p>`,
  );
}

/** Returns the response to an expired, revoked or unknown token. */
export function tokenRejection(): Answer {
  return failureResponse(401, {
    message: 'Request had invalid authentication credentials. Expected OAuth 2 access token.',
    headers: { 'www-authenticate': 'Bearer realm="https://accounts.google.com/", error="invalid_token"' },
  });
}

/** Returns the response to a request over the quota. */
export function quotaRejection(headers: Record<string, string> = {}): Answer {
  return failureResponse(429, {
    message: "Quota exceeded for quota metric 'Requests' and limit 'Requests per minute per user'.",
    reason: 'RATE_LIMIT_EXCEEDED',
    metadata: { service: 'health.googleapis.com', quota_limit: 'RequestsPerMinutePerUser' },
    headers,
  });
}
