import { defineRoute } from '../route.js';

/** Languages of the page on which people connect. */
export const CONNECT_LANGUAGES = ['en', 'de'] as const;
export type ConnectLanguage = (typeof CONNECT_LANGUAGES)[number];

/** How a link stands: `used` when every provider that it offers was connected with it. */
export const CONNECT_LINK_STATES = ['open', 'used', 'expired', 'revoked'] as const;

/** What became of one provider of a link; `partial`: connected, and the person did not agree to all kinds of data. */
export const CONNECT_OUTCOMES = ['open', 'connected', 'partial', 'failed'] as const;

const links = {
  path: '/api/v1/users/{user_id}/connect-links',
  tag: 'Connect links',
  auth: 'key',
} as const;

export const createConnectLink = defineRoute({
  ...links,
  id: 'createConnectLink',
  method: 'POST',
  summary: 'Make a link with which a person connects providers, without a login',
  description:
    'Send `url` to the person it was made for, and to no one else: who connects there gives their data to this user. It ' +
    'is shown here and never again. The page offers the providers, sends the person to their consent and says how that ' +
    'ended. Each provider can be connected once with a link. `redirect_uri` must be allowed by OAUTH_REDIRECT_ALLOWLIST, ' +
    'and `opener_origin` must be the origin of an address that is. 409: no provider, or one of those that were given, can ' +
    'be connected.',
  scope: 'write',
  audit: { resource: 'connect_link', action: 'create' },
  status: 201,
  errors: [400, 404, 409],
});

export const listConnectLinks = defineRoute({
  ...links,
  id: 'listConnectLinks',
  method: 'GET',
  summary: 'Links of a user to connect, newest first',
  description: 'Those of the last 30 days, without their addresses.',
  scope: 'read',
  audit: { resource: 'connect_link', action: 'read' },
  status: 200,
  errors: [404],
});

export const revokeConnectLink = defineRoute({
  ...links,
  id: 'revokeConnectLink',
  method: 'DELETE',
  path: `${links.path}/{link_id}`,
  summary: 'End a link to connect',
  description:
    'Connections that were made with it stay. A consent that the person began with it makes none: what the vendor granted is given back.',
  scope: 'write',
  audit: { resource: 'connect_link', action: 'delete', id: 'link_id' },
  status: 204,
  errors: [404],
});

export const renewConnectLink = defineRoute({
  ...links,
  id: 'renewConnectLink',
  method: 'POST',
  path: `${links.path}/{link_id}/renew`,
  summary: 'Replace a link to connect by a new one',
  description:
    'For a link that has expired or soon will. The new one offers the same providers, without those that were ' +
    'connected with the old one, for as long as the old one was made for, with the same `redirect_uri`, `opener_origin` and language; the old one is revoked. `url` is shown here and never ' +
    'again. 409: the link was used or revoked, or one of its providers cannot be connected any more, or is being connected with it.',
  scope: 'write',
  audit: { resource: 'connect_link', action: 'update', id: 'link_id' },
  status: 201,
  errors: [404, 409],
});

const page = {
  path: '/connect/{token}',
  tag: 'Connect links',
  auth: 'public',
  // Programs that send mails append parameters of their own.
  ignoresUnknown: true,
  errors: [404, 410],
  htmlFailures: true,
} as const;

export const showConnectPage = defineRoute({
  ...page,
  id: 'showConnectPage',
  method: 'GET',
  summary: 'The page on which a person connects providers',
  description:
    'For people: it names the providers and nothing about the person. A page that opened it in a window is given ' +
    '`{ type: "healthd.connect", provider, outcome }` by `postMessage` when the person comes back, if it is of ' +
    '`opener_origin`.',
  audit: { exempt: 'names providers; nothing of a person is read' },
  status: 200,
  produces: 'text/html',
});

export const beginConnectLink = defineRoute({
  ...page,
  id: 'beginConnectLink',
  limit: 'connect',
  method: 'POST',
  path: `${page.path}/{provider}`,
  summary: 'Send the person of a link to the consent of a provider',
  description: 'Sets a cookie: the consent can be completed in this browser only.',
  audit: { resource: 'connection', action: 'create' },
  status: 303,
});
