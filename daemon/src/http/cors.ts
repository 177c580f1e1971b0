import type { NextFunction, Request, RequestHandler, Response } from 'express';

const PREFLIGHT_SECONDS = 600;

/**
 * Lets pages of the listed origins read responses. Without a list, no other origin can. Compares complete origins and
 * ignores a trailing slash in the list.
 */
export function allowOrigins(list: readonly string[]): RequestHandler {
  const allowed = new Set(list.map((origin) => origin.replace(/\/$/, '')));
  return (request: Request, response: Response, next: NextFunction) => {
    response.vary('Origin');
    const { origin } = request.headers;
    const isAllowed = origin !== undefined && allowed.has(origin);
    if (isAllowed) {
      response.set({
        'Access-Control-Allow-Origin': origin,
        'Access-Control-Allow-Credentials': 'true',
        'Access-Control-Expose-Headers': 'X-Request-ID, Retry-After',
      });
    }
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return next();
    if (!isAllowed) {
      response.status(400).json({ detail: 'Disallowed CORS origin' });
      return;
    }
    response.set({
      'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'Access-Control-Allow-Headers': request.headers['access-control-request-headers'] ?? '',
      'Access-Control-Max-Age': String(PREFLIGHT_SECONDS),
    });
    response.status(204).end();
  };
}
