import { z } from 'zod';
import { uuidSchema } from '../envelope.js';
import { defineRoute } from '../route.js';

/** Answer of every operation that opens or prolongs a session. `expires_in` is in seconds. */
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

// A field that is missing or of another form is a wrong credential (401) and no validation error, so that the answer
// never says how close a guess was.
const credential = z.string().optional().catch(undefined);

export const login = defineRoute({
  id: 'login',
  method: 'POST',
  path: '/api/v1/auth/login',
  tag: 'Sessions',
  summary: 'Log a developer in',
  description: 'OAuth 2.0 password form for the first-party console and command line. Email and password are required.',
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
      grant_type: credential.describe('`password` when sent'),
    })
    .optional(),
  response: developerTokensSchema,
});

export const refreshTokens = defineRoute({
  id: 'refreshTokens',
  method: 'POST',
  path: '/api/v1/token/refresh',
  tag: 'Sessions',
  summary: 'Exchange a refresh token for new tokens',
  description:
    'The presented token is replaced. Presenting a replaced token again ends the whole session, except within seconds for an answer that was lost.',
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
  description: 'Access tokens of the session end with it. The token itself is the only credential.',
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
  summary: 'End the session of the access token',
  auth: 'developer',
  audit: { resource: 'session', action: 'logout' },
  status: 200,
  response: messageSchema,
});
