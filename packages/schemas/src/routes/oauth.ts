import { z } from 'zod';
import { uuidSchema } from '../envelope.js';
import { uuidParam } from '../parameters.js';
import { defineRoute } from '../route.js';
import { textField } from '../text.js';
import { providerSchema } from '../words.js';

const providerParams = z.object({ provider: providerSchema });
/** Maximum length of parameters from vendors. */
const sentBack = z.string().max(4096).optional();

export const authorizeProvider = defineRoute({
  id: 'authorizeProvider',
  method: 'GET',
  path: '/api/v1/oauth/{provider}/authorize',
  tag: 'OAuth',
  summary: 'Start connecting a provider',
  description:
    'Open `authorization_url` in the user’s browser within 15 minutes. The browser then returns to `redirect_uri`, which OAUTH_REDIRECT_ALLOWLIST must allow. On failure the query contains `error` and `error_description`. With CONSENT_BINDING=browser, `authorization_url` is a URL of this service that ties the consent to the browser that opens it; it works once. With PUBLIC_AUTHORIZE=true you may omit the credential: `redirect_uri` is then required, the consent is always tied to a browser, and calls are limited per IP address.',
  auth: 'key',
  scope: 'write',
  audit: { resource: 'connection', action: 'create' },
  status: 200,
  errors: [400, 404, 409, 429],
  params: providerParams,
  query: z.object({ user_id: uuidParam, redirect_uri: textField(2048).optional() }),
  response: z.object({ authorization_url: z.string(), state: z.string() }).meta({ id: 'Authorization' }),
});

export const startAuthorization = defineRoute({
  id: 'startAuthorization',
  method: 'GET',
  path: '/api/v1/oauth/{provider}/start',
  tag: 'OAuth',
  summary: 'Bind a consent to the browser and redirect to the provider',
  description:
    'The `authorization_url` of a consent that is tied to a browser. It works once and sets a cookie, so that only this browser can complete the consent.',
  auth: 'public',
  limit: 'connect',
  audit: { exempt: 'the consent was recorded when it was requested' },
  // Mail programs append their own parameters.
  ignoresUnknown: true,
  status: 303,
  errors: [400, 409],
  params: providerParams,
  query: z.object({ state: sentBack }),
});

export const completeAuthorization = defineRoute({
  id: 'completeAuthorization',
  method: 'GET',
  path: '/api/v1/oauth/{provider}/callback',
  tag: 'OAuth',
  summary: 'Handle the OAuth redirect',
  description: 'Register this URL, under API_BASE_URL, in the vendor’s OAuth client.',
  auth: 'public',
  audit: { resource: 'connection', action: 'create' },
  // Vendors append `scope`, `authuser`, `iss` and more.
  ignoresUnknown: true,
  status: 303,
  errors: [400, 503],
  params: providerParams,
  query: z.object({ code: sentBack, state: sentBack, error: sentBack, error_description: sentBack, scope: sentBack }),
});

const pageDescription = 'HTML page; JSON with `Accept: application/json`.';

export const showConnected = defineRoute({
  id: 'showConnected',
  method: 'GET',
  path: '/api/v1/oauth/success',
  tag: 'OAuth',
  summary: 'Show that the connection succeeded',
  description: pageDescription,
  auth: 'public',
  audit: { exempt: 'fixed text, reads no user data' },
  ignoresUnknown: true,
  status: 200,
  alsoProduces: 'text/html',
  query: z.object({ provider: providerSchema, user_id: uuidParam }),
  response: z
    .object({ success: z.literal(true), message: z.string(), user_id: uuidSchema, provider: z.string() })
    .meta({ id: 'ConnectedPage' }),
});

export const showConnectionError = defineRoute({
  id: 'showConnectionError',
  method: 'GET',
  path: '/api/v1/oauth/error',
  tag: 'OAuth',
  summary: 'Show that the connection failed',
  description: pageDescription,
  auth: 'public',
  audit: { exempt: 'fixed text, reads no user data' },
  ignoresUnknown: true,
  status: 200,
  alsoProduces: 'text/html',
  query: z.object({ message: z.string().max(1024).optional() }),
  response: z.object({ success: z.literal(false), message: z.string() }).meta({ id: 'ConnectionErrorPage' }),
});
