import { z } from 'zod';
import { uuidSchema } from '../envelope.js';
import { uuidParam } from '../parameters.js';
import { defineRoute } from '../route.js';
import { textField } from '../text.js';
import { providerSchema } from '../words.js';

const providerParams = z.object({ provider: providerSchema });
/** What a vendor sends is bounded: nothing longer is theirs. */
const sentBack = z.string().max(4096).optional();

export const authorizeProvider = defineRoute({
  id: 'authorizeProvider',
  method: 'GET',
  path: '/api/v1/oauth/{provider}/authorize',
  tag: 'OAuth',
  summary: 'Begin a connection: where to send the person',
  description:
    'Send the person\u2019s browser to `authorization_url` within 15 minutes. Afterwards they come to `redirect_uri`, with `error` and `error_description` in its query when it did not work. `redirect_uri` must be allowed by OAUTH_REDIRECT_ALLOWLIST. With CONSENT_BINDING=browser `authorization_url` is an address of this service, which ties the consent to the browser that opens it and works once. With PUBLIC_AUTHORIZE=true a credential is optional: without one `redirect_uri` is required, the consent is always tied to a browser, and calls are limited by address.',
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
  summary: 'Tie a consent to the browser and send it to the provider',
  description:
    'The `authorization_url` of a consent that is tied to a browser. It sets a cookie and works once; the consent can then be completed in this browser only.',
  auth: 'public',
  limit: 'connect',
  audit: { exempt: 'the consent was recorded when it was requested' },
  // Programs that send mails append parameters of their own.
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
  summary: 'Where vendors send people back to',
  description: 'Its address, under API_BASE_URL, is what is registered with the vendor\u2019s OAuth client.',
  auth: 'public',
  audit: { resource: 'connection', action: 'create' },
  // Vendors append `scope`, `authuser`, `iss` and more.
  ignoresUnknown: true,
  status: 303,
  errors: [400, 503],
  params: providerParams,
  query: z.object({ code: sentBack, state: sentBack, error: sentBack, error_description: sentBack, scope: sentBack }),
});

const pageDescription = 'A page for people; JSON for programs (`Accept: application/json`).';

export const showConnected = defineRoute({
  id: 'showConnected',
  method: 'GET',
  path: '/api/v1/oauth/success',
  tag: 'OAuth',
  summary: 'Says that a connection was made',
  description: pageDescription,
  auth: 'public',
  audit: { exempt: 'a fixed text; nothing of a person is read' },
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
  summary: 'Says that a connection was not made',
  description: pageDescription,
  auth: 'public',
  audit: { exempt: 'a fixed text; nothing of a person is read' },
  ignoresUnknown: true,
  status: 200,
  alsoProduces: 'text/html',
  query: z.object({ message: z.string().max(1024).optional() }),
  response: z.object({ success: z.literal(false), message: z.string() }).meta({ id: 'ConnectionErrorPage' }),
});
