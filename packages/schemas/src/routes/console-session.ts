import { CONSOLE_HEADER } from '@healthd/contract';
import { z } from 'zod';
import { uuidSchema } from '../envelope.js';
import { defineRoute } from '../route.js';

const consoleHeaders = z.object({
  [CONSOLE_HEADER.name]: z.enum([CONSOLE_HEADER.value]).meta({ description: 'Says that a page of the console asks' }),
});

/** Answer to a page: what it keeps in memory. `expires_in` is in seconds. */
export const consoleTokensSchema = z
  .object({ access_token: z.string(), token_type: z.literal('bearer'), expires_in: z.int(), developer_id: uuidSchema })
  .meta({ id: 'ConsoleTokens' });
export type ConsoleTokens = z.infer<typeof consoleTokensSchema>;

const credential = z.string().optional().catch(undefined);

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
  headers: consoleHeaders,
  body: z.object({ username: credential.describe('Email of the developer'), password: credential }).optional(),
  response: consoleTokensSchema,
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
  headers: consoleHeaders,
  response: consoleTokensSchema,
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
  headers: consoleHeaders,
});
