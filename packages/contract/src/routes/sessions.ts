import { defineRoute } from '../route.js';

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
});
