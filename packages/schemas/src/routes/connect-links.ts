import { CONNECT_LANGUAGES, CONNECT_LINK_STATES, CONNECT_OUTCOMES } from '@healthd/contract';
import { z } from 'zod';
import { instantSchema, uuidSchema } from '../envelope.js';
import { userParams, uuidParam } from '../parameters.js';
import { defineRoute } from '../route.js';
import { textField } from '../text.js';
import { providerSchema } from '../words.js';

const DEFAULT_MINUTES = 1_440;
const MAX_MINUTES = 10_080;

export const connectLinkInputSchema = z.object({
  providers: z.array(providerSchema).min(1).max(20).nullish().meta({
    description: 'Providers on the page; default: all that can be connected',
  }),
  expires_in_minutes: z
    .int()
    .min(5)
    .max(MAX_MINUTES)
    .nullish()
    .meta({
      description: `Minutes until the link expires; default: ${DEFAULT_MINUTES} (one day)`,
    }),
  redirect_uri: textField(2048).nullish().meta({
    description: 'URL to redirect the user to when done',
  }),
  opener_origin: textField(255).nullish().meta({
    description:
      'Origin of the page that opens the link in a window and receives the result, for example `https://app.example.com`',
  }),
  language: z.enum(CONNECT_LANGUAGES).nullish().meta({
    description: 'Language of the page; default: the browser’s language',
  }),
});
/** Settings of a new link; absent and null mean the same. */
export type ConnectLinkInput = z.output<typeof connectLinkInputSchema>;

/** Returns the lifetime of a link in minutes. */
export function linkMinutes({ expires_in_minutes }: ConnectLinkInput): number {
  return expires_in_minutes ?? DEFAULT_MINUTES;
}

export const connectLinkSchema = z
  .object({
    id: uuidSchema,
    user_id: uuidSchema,
    status: z.enum(CONNECT_LINK_STATES).meta({
      description: 'Status of the link; `used` means that every provider was connected',
    }),
    providers: z
      .array(
        z.object({
          provider: z.string(),
          outcome: z.enum(CONNECT_OUTCOMES).meta({
            description:
              'Result; `partial` means connected without some data types. The link still works for `open` and `failed` providers',
          }),
          error: z.string().nullable().meta({
            description:
              'Error code, such as `access_denied`. With `partial`, `not_linked` means that the account has no health profile yet',
          }),
          missing_data_types: z.array(z.string()).meta({ description: 'Data types that the user did not agree to' }),
          at: instantSchema.nullable().meta({ description: 'Time when the user returned from the vendor' }),
        }),
      )
      .meta({ description: 'Providers on the page' }),
    redirect_uri: z.string().nullable().meta({ description: 'URL to redirect the user to when done' }),
    opener_origin: z.string().nullable().meta({ description: 'Origin of the page that receives the result' }),
    language: z
      .enum(CONNECT_LANGUAGES)
      .nullable()
      .meta({ description: 'Language of the page; null means the browser’s language' }),
    created_at: instantSchema,
    expires_at: instantSchema,
  })
  .meta({ id: 'ConnectLink' });
export type ConnectLink = z.infer<typeof connectLinkSchema>;

export const newConnectLinkSchema = connectLinkSchema
  .extend({
    url: z.string().meta({ format: 'uri', description: 'URL for the user; returned only once' }),
  })
  .meta({ id: 'NewConnectLink' });
export type NewConnectLink = z.infer<typeof newConnectLinkSchema>;

const pageParams = z.object({
  token: z.string().meta({
    description: 'The link’s secret, or its ID in a browser that started a consent with it',
  }),
});

const links = {
  path: '/api/v1/users/{user_id}/connect-links',
  tag: 'Connect links',
  auth: 'key',
} as const;

export const createConnectLink = defineRoute({
  ...links,
  id: 'createConnectLink',
  method: 'POST',
  summary: 'Create a link to connect providers without a login',
  description:
    'Send `url` only to this user: the data of anyone who connects with it is stored for this user. The response contains it only once. On the page the user selects a provider, gives consent at the vendor and sees the result. Each provider can be connected once per link. OAUTH_REDIRECT_ALLOWLIST must contain `redirect_uri` and a URL with the origin `opener_origin`. Returns 409 if no provider, or one of the requested providers, cannot be connected.',
  scope: 'write',
  audit: { resource: 'connect_link', action: 'create' },
  status: 201,
  errors: [400, 404, 409],
  params: userParams,
  body: connectLinkInputSchema.nullish(),
  response: newConnectLinkSchema,
});

export const listConnectLinks = defineRoute({
  ...links,
  id: 'listConnectLinks',
  method: 'GET',
  summary: 'List a user’s connect links, newest first',
  description: 'Returns links of the last 30 days without their URLs.',
  scope: 'read',
  audit: { resource: 'connect_link', action: 'read' },
  status: 200,
  errors: [404],
  params: userParams,
  response: z.object({ items: z.array(connectLinkSchema) }),
});

export const revokeConnectLink = defineRoute({
  ...links,
  id: 'revokeConnectLink',
  method: 'DELETE',
  path: `${links.path}/{link_id}`,
  summary: 'Revoke a connect link',
  description:
    'Keeps the connections made with it. A consent that is still open creates no connection, and its grant is revoked at the vendor.',
  scope: 'write',
  audit: { resource: 'connect_link', action: 'delete', id: 'link_id' },
  status: 204,
  errors: [404],
  params: userParams.extend({ link_id: uuidParam }),
});

export const renewConnectLink = defineRoute({
  ...links,
  id: 'renewConnectLink',
  method: 'POST',
  path: `${links.path}/{link_id}/renew`,
  summary: 'Replace a connect link',
  description:
    'Creates a link with the same lifetime, `redirect_uri`, `opener_origin` and language. It offers the old link’s providers except those already connected. The old link is revoked. `url` is returned only once. Returns 409 if the link was used or revoked, or if one of its providers cannot be connected or is being connected at the moment.',
  scope: 'write',
  audit: { resource: 'connect_link', action: 'update', id: 'link_id' },
  status: 201,
  errors: [404, 409],
  params: userParams.extend({ link_id: uuidParam }),
  response: newConnectLinkSchema,
});

const page = {
  path: '/connect/{token}',
  tag: 'Connect links',
  auth: 'public',
  // Mail programs append their own parameters.
  ignoresUnknown: true,
  errors: [404, 410],
  htmlFailures: true,
} as const;

export const showConnectPage = defineRoute({
  ...page,
  id: 'showConnectPage',
  method: 'GET',
  summary: 'Show the page to connect providers',
  description:
    'An HTML page that lists the providers and contains nothing about the user. If a page of `opener_origin` opened it in a window, that page receives `{ type: "healthd.connect", provider, outcome }` by `postMessage` when the user returns.',
  audit: { exempt: 'lists providers, reads no user data' },
  status: 200,
  produces: 'text/html',
  params: pageParams,
  query: z.object({
    provider: z.string().max(64).optional().describe('Provider whose consent page the user returns from'),
  }),
});

export const beginConnectLink = defineRoute({
  ...page,
  id: 'beginConnectLink',
  limit: 'connect',
  method: 'POST',
  path: `${page.path}/{provider}`,
  summary: 'Redirect the user to a provider’s consent page',
  description: 'Sets a cookie, so that only this browser can complete the consent.',
  audit: { resource: 'connection', action: 'create' },
  status: 303,
  params: pageParams.extend({ provider: providerSchema }),
});
