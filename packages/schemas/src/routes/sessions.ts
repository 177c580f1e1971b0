import { z } from 'zod';
import { uuidSchema } from '../envelope.js';
import { defineRoute } from '../route.js';

/** Response of operations that start or extend a session. `expires_in` is in seconds. */
export const tokensSchema = z
  .object({
    access_token: z.string(),
    token_type: z.literal('bearer'),
    refresh_token: z.string(),
    expires_in: z.int(),
  })
  .meta({ id: 'Tokens' });
export type Tokens = z.infer<typeof tokensSchema>;

export const developerTokensSchema = tokensSchema.extend({ developer_id: uuidSchema }).meta({ id: 'DeveloperTokens' });
export type DeveloperTokens = z.infer<typeof developerTokensSchema>;

export const messageSchema = z.object({ message: z.string() }).meta({ id: 'Message' });

// A missing or malformed field is a wrong credential (401), not a validation error, so that the response does not help
// guessing.
const credential = z.string().optional().catch(undefined);

export const login = defineRoute({
  id: 'login',
  method: 'POST',
  path: '/api/v1/auth/login',
  tag: 'Sessions',
  summary: 'Log in',
  description: 'OAuth 2.0 password form for the console and the CLI. Email and password are required.',
  auth: 'public',
  audit: { resource: 'session', action: 'login' },
  limit: 'login',
  bodyType: 'form',
  ignoresUnknown: true,
  status: 200,
  errors: [401],
  body: z
    .object({
      username: credential.describe('Email of the developer'),
      password: credential,
      grant_type: credential.describe('`password`, if sent'),
    })
    .optional(),
  response: developerTokensSchema,
});

export const refreshTokens = defineRoute({
  id: 'refreshTokens',
  method: 'POST',
  path: '/api/v1/token/refresh',
  tag: 'Sessions',
  summary: 'Refresh a session',
  description:
    'Replaces the refresh token. Using a replaced token again ends the whole session, unless it happens within seconds, as after a lost response.',
  auth: 'public',
  audit: { resource: 'session', action: 'refresh' },
  limit: 'refresh',
  ignoresUnknown: true,
  status: 200,
  errors: [401],
  body: z.object({ refresh_token: z.string() }),
  response: tokensSchema,
});

export const revokeToken = defineRoute({
  id: 'revokeToken',
  method: 'POST',
  path: '/api/v1/token/revoke',
  tag: 'Sessions',
  summary: 'End the session of a refresh token',
  description: 'Also ends the session’s access tokens. Needs no credential other than the token.',
  auth: 'public',
  audit: { resource: 'session', action: 'logout' },
  limit: 'refresh',
  status: 204,
  errors: [404],
  body: z.object({ refresh_token: z.string() }),
});

export const logout = defineRoute({
  id: 'logout',
  method: 'POST',
  path: '/api/v1/auth/logout',
  tag: 'Sessions',
  summary: 'End the current session',
  auth: 'developer',
  audit: { resource: 'session', action: 'logout' },
  status: 200,
  response: messageSchema,
});
