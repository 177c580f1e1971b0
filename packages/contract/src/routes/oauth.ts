import { defineRoute } from '../route.js';

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
  // Vendors append `scope`, `authuser`, `iss` and more.
  ignoresUnknown: true,
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
  ignoresUnknown: true,
  status: 200,
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
  ignoresUnknown: true,
  status: 200,
  alsoProduces: 'text/html',
});
