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
    'Send the person\u2019s browser to `authorization_url` within 15 minutes. Afterwards they come to `redirect_uri`, with `error` and `error_description` in its query when it did not work. `redirect_uri` must be allowed by OAUTH_REDIRECT_ALLOWLIST.',
  auth: 'key',
  scope: 'write',
  audit: { resource: 'connection', action: 'create' },
  params: providerParams,
  query: z.object({ user_id: uuidParam, redirect_uri: textField(2048).optional() }),
  status: 200,
  response: z.object({ authorization_url: z.string(), state: z.string() }).meta({ id: 'Authorization' }),
  errors: [400, 404, 409],
});

export const oauthCallback = defineRoute({
  id: 'completeAuthorization',
  method: 'GET',
  path: '/api/v1/oauth/{provider}/callback',
  tag: 'OAuth',
  summary: 'Where vendors send people back to',
  description: 'Its address, under API_BASE_URL, is what is registered with the vendor\u2019s OAuth client.',
  auth: 'public',
  audit: { resource: 'connection', action: 'create' },
  params: providerParams,
  // Vendors append `scope`, `authuser`, `iss` and more.
  ignoresUnknown: true,
  query: z.object({ code: sentBack, state: sentBack, error: sentBack, error_description: sentBack }),
  status: 303,
  errors: [400, 503],
});

const pageDescription = 'A page for people; JSON for programs (`Accept: application/json`).';

export const oauthSuccess = defineRoute({
  id: 'showConnected',
  method: 'GET',
  path: '/api/v1/oauth/success',
  tag: 'OAuth',
  summary: 'Says that a connection was made',
  description: pageDescription,
  auth: 'public',
  audit: { exempt: 'a fixed text; nothing of a person is read' },
  query: z.object({ provider: providerSchema, user_id: uuidParam }),
  ignoresUnknown: true,
  status: 200,
  response: z
    .object({ success: z.literal(true), message: z.string(), user_id: uuidSchema, provider: z.string() })
    .meta({ id: 'ConnectedPage' }),
  alsoProduces: 'text/html',
});

export const oauthError = defineRoute({
  id: 'showConnectionError',
  method: 'GET',
  path: '/api/v1/oauth/error',
  tag: 'OAuth',
  summary: 'Says that a connection was not made',
  description: pageDescription,
  auth: 'public',
  audit: { exempt: 'a fixed text; nothing of a person is read' },
  query: z.object({ message: z.string().max(1024).optional() }),
  ignoresUnknown: true,
  status: 200,
  response: z.object({ success: z.literal(false), message: z.string() }).meta({ id: 'ConnectionErrorPage' }),
  alsoProduces: 'text/html',
});
