import {
  compatErrorSchema,
  errorSchema,
  type RouteDeclaration,
  unexpectedErrorSchema,
  validationErrorSchema,
} from '@healthd/schemas';
import type { z } from 'zod';
import type { ErrorFormat } from '../responses.js';
import type { OperationExamples } from './examples.js';
import { type Components, componentName, describe } from './schemas.js';

const text = (description: string) => ({ description, schema: { type: 'string' } });

/** Response headers, declared once. */
export const RESPONSE_HEADERS = {
  'X-Request-ID': text('Request ID in the log; echoes the request’s header if present'),
  'Retry-After': { description: 'Seconds to wait before the next attempt', schema: { type: 'integer' } },
  'WWW-Authenticate': text('`Bearer` if the access token of a developer is missing'),
  'Accept-Encoding': text('Supported compressions, if the request’s compression is not supported'),
  'Content-Disposition': text('Name of the file'),
  Location: text('Target of the redirect'),
  'Set-Cookie': text('Refresh token of the session, in a cookie that scripts cannot read'),
} as const;
type HeaderName = keyof typeof RESPONSE_HEADERS;

const HEADERS_OF_STATUS: Readonly<Record<number, readonly HeaderName[]>> = {
  303: ['Location'],
  401: ['WWW-Authenticate'],
  415: ['Accept-Encoding'],
  429: ['Retry-After'],
  503: ['Retry-After'],
  507: ['Retry-After'],
};

/** Returns an operation's responses by status. */
export function responses(
  route: RouteDeclaration,
  errorFormat: ErrorFormat,
  schemas: Components,
  { answers: examples = {} }: OperationExamples,
): Record<string, unknown> {
  const byStatus: Record<string, unknown> = {
    [route.status]: {
      description: route.status === 204 ? 'Success, without a body' : route.status === 303 ? 'Redirect' : 'Success',
      headers: headersOf(route.status, route.responseHeaders),
      ...contentOf(route, schemas, shown(examples[route.status])),
    },
  };
  for (const { status, description } of route.furtherAnswers ?? []) {
    const response = route.furtherResponses?.[status];
    const schema = response && describe(response, 'output', schemas, componentName(route, 'Response'));
    const content = { 'application/json': { schema, ...shown(examples[status]) } };
    byStatus[status] = { description, headers: headersOf(status), content };
  }
  for (const status of failureStatuses(route, errorFormat)) {
    byStatus[status] = {
      description: MEANING[status] ?? 'Error',
      headers: headersOf(status),
      // A 431 has no described body, because the HTTP server itself sends it before the service sees the request.
      ...(status !== 431 && {
        content:
          route.htmlFailures && route.errors?.includes(status)
            ? { 'text/html': {} }
            : {
                'application/json': {
                  schema: describe(failureSchema(status, errorFormat), 'output', schemas, 'Error'),
                },
              },
      }),
    };
  }
  return byStatus;
}

const shown = (example: unknown) => (example === undefined ? {} : { example });

function contentOf(route: RouteDeclaration, schemas: Components, example: object): Record<string, unknown> {
  const { response, produces, alsoProduces } = route;
  if (!response && !produces) return {};
  // Describes responses that are not JSON by their content type only.
  const main = {
    [produces ?? 'application/json']: response
      ? { schema: describe(response, 'output', schemas, componentName(route, 'Response')), ...example }
      : example,
  };
  return { content: alsoProduces ? { ...main, [alsoProduces]: {} } : main };
}

function headersOf(status: number, own: readonly string[] = []): Record<string, unknown> {
  const names = status === 431 ? [] : ['X-Request-ID', ...(HEADERS_OF_STATUS[status] ?? []), ...own];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/**
 * Returns the statuses of the failures that the route declares, and of failures that follow from its body, parameters
 * or rate limit.
 */
function failureStatuses(route: RouteDeclaration, errorFormat: ErrorFormat): number[] {
  // Any request may have oversized headers, or fail because of a server error or an unavailable database.
  const statuses = new Set<number>(route.errors).add(431).add(500).add(503);
  const sendsBody = route.body !== undefined || route.uploadPart !== undefined;
  if (route.auth !== 'public') statuses.add(401);
  if (route.scope) statuses.add(403);
  if (route.limit) statuses.add(429);
  if (route.method !== 'GET') statuses.add(507);
  if (sendsBody) statuses.add(408).add(413).add(415);
  // Adds 400 for a path that cannot be decoded or a truncated body.
  if (route.params || sendsBody) statuses.add(400);
  if (route.params && 'user_id' in route.params.shape) statuses.add(404);
  if (route.params || route.query || sendsBody) statuses.add(errorFormat === 'compat' ? 400 : 422);
  // Undeclared names are rejected outside compat mode.
  if (errorFormat === 'standard' && !route.ignoresUnknown) statuses.add(422);
  return [...statuses].sort((a, b) => a - b);
}

function failureSchema(status: number, errorFormat: ErrorFormat): z.ZodType {
  if (status === 422) return validationErrorSchema;
  if (status === 500) return unexpectedErrorSchema;
  return status === 400 && errorFormat === 'compat' ? compatErrorSchema : errorSchema;
}

const MEANING: Record<number, string> = {
  400: 'Bad request',
  401: 'Missing or invalid credentials',
  403: 'Not allowed with these credentials',
  404: 'Not found',
  408: 'The request took too long',
  409: 'Conflicts with stored data',
  410: 'No longer stored',
  413: 'Too large',
  415: 'Unsupported content type or encoding',
  422: 'Invalid request; lists all errors',
  429: 'Too many requests',
  431: 'Headers too large; no body',
  500: 'Server error; find the cause in the log by `request_id`',
  501: 'Not supported by this provider',
  503: 'Temporarily unavailable; retry after `Retry-After`',
  507: 'No storage space left; retry after `Retry-After`',
};
