import { defineRoute } from '../route.js';

/**
 * Header that every call of a console session carries. A page of another origin cannot send it unless CORS_ORIGINS lists
 * that origin, so no foreign page can act with the cookie of the person who visits it.
 */
export const CONSOLE_HEADER = { name: 'X-Healthd-Console', value: '1' } as const;

const NEEDS_HEADER = `Needs the header \`${CONSOLE_HEADER.name}: ${CONSOLE_HEADER.value}\`, else 403.`;

export const openConsoleSession = defineRoute({
  id: 'openConsoleSession',
  method: 'POST',
  path: '/api/v1/auth/session',
  tag: 'Sessions',
  summary: 'Log a developer in, in a browser',
  description: `As /api/v1/auth/login, but the refresh token goes into a cookie that no script can read. ${NEEDS_HEADER}`,
  auth: 'public',
  audit: { resource: 'session', action: 'login' },
  limit: 'login',
  responseHeaders: ['Set-Cookie'],
  bodyType: 'form',
  ignoresUnknown: true,
  status: 200,
  errors: [401, 403],
});

export const renewConsoleSession = defineRoute({
  id: 'renewConsoleSession',
  method: 'POST',
  path: '/api/v1/auth/session/refresh',
  tag: 'Sessions',
  summary: 'Obtain a new access token by the cookie of a session',
  description: `The cookie is replaced. ${NEEDS_HEADER}`,
  auth: 'public',
  audit: { resource: 'session', action: 'refresh' },
  limit: 'refresh',
  responseHeaders: ['Set-Cookie'],
  ignoresUnknown: true,
  status: 200,
  errors: [401, 403],
});

export const endConsoleSession = defineRoute({
  id: 'endConsoleSession',
  method: 'DELETE',
  path: '/api/v1/auth/session',
  tag: 'Sessions',
  summary: 'End the session of the cookie',
  description: `The session ends for all its tokens and the cookie is removed; without a session nothing happens. ${NEEDS_HEADER}`,
  auth: 'public',
  audit: { resource: 'session', action: 'logout' },
  limit: 'refresh',
  responseHeaders: ['Set-Cookie'],
  status: 204,
  errors: [403],
});
