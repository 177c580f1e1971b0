import { CONSOLE_HEADER } from '@healthd/contract';
import { z } from 'zod';
import { uuidSchema } from '../envelope.js';
import { defineRoute } from '../route.js';

const consoleHeaders = z.object({
  [CONSOLE_HEADER.name]: z.enum([CONSOLE_HEADER.value]).meta({ description: 'Required for requests from the console' }),
});

/** Response to the console, which keeps it in memory. `expires_in` is in seconds. */
export const consoleTokensSchema = z
  .object({ access_token: z.string(), token_type: z.literal('bearer'), expires_in: z.int(), developer_id: uuidSchema })
  .meta({ id: 'ConsoleTokens' });
export type ConsoleTokens = z.infer<typeof consoleTokensSchema>;

const credential = z.string().optional().catch(undefined);

const NEEDS_HEADER = `Returns 403 without the header \`${CONSOLE_HEADER.name}: ${CONSOLE_HEADER.value}\`.`;

export const openConsoleSession = defineRoute({
  id: 'openConsoleSession',
  method: 'POST',
  path: '/api/v1/auth/session',
  tag: 'Sessions',
  summary: 'Log in to the console',
  description: `Like /api/v1/auth/login, but stores the refresh token in a cookie that scripts cannot read. ${NEEDS_HEADER}`,
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
  summary: 'Refresh a console session',
  description: `Returns a new access token and replaces the cookie. ${NEEDS_HEADER}`,
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
  summary: 'Log out of the console',
  description: `Ends the session with all its tokens and deletes the cookie. Succeeds without a session too. ${NEEDS_HEADER}`,
  auth: 'public',
  audit: { resource: 'session', action: 'logout' },
  limit: 'refresh',
  responseHeaders: ['Set-Cookie'],
  status: 204,
  errors: [403],
  headers: consoleHeaders,
});
