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
    description: 'Providers that the page offers; all that can be connected unless given',
  }),
  expires_in_minutes: z
    .int()
    .min(5)
    .max(MAX_MINUTES)
    .nullish()
    .meta({
      description: `Minutes until the link ends; ${DEFAULT_MINUTES} (a day) unless given`,
    }),
  redirect_uri: textField(2048).nullish().meta({
    description: 'Where the page leads the person on when they are done',
  }),
  opener_origin: textField(255).nullish().meta({
    description:
      'Origin of the page that opens the link in a window and is notified how it ended, e.g. `https://app.example.com`',
  }),
  language: z.enum(CONNECT_LANGUAGES).nullish().meta({
    description: 'Language of the page; that of the person’s browser unless given',
  }),
});
/** What a link is made of; absent and null mean the same. */
export type ConnectLinkInput = z.output<typeof connectLinkInputSchema>;

/** Minutes that a link is good for. */
export function linkMinutes({ expires_in_minutes }: ConnectLinkInput): number {
  return expires_in_minutes ?? DEFAULT_MINUTES;
}

export const connectLinkSchema = z
  .object({
    id: uuidSchema,
    user_id: uuidSchema,
    status: z.enum(CONNECT_LINK_STATES).meta({
      description: 'Whether it can still be used; `used`: every provider was connected with it',
    }),
    providers: z
      .array(
        z.object({
          provider: z.string(),
          outcome: z.enum(CONNECT_OUTCOMES).meta({
            description:
              'What became of it; `partial`: connected, without some kinds of data. A provider that is `open` or `failed` can be connected with the link',
          }),
          error: z.string().nullable().meta({
            description:
              'Why it failed: a stable code, such as `access_denied`; `not_linked` of a `partial` one: the account has no health profile yet',
          }),
          missing_data_types: z
            .array(z.string())
            .meta({ description: 'Kinds of data that the person did not agree to' }),
          at: instantSchema.nullable().meta({ description: 'When the person came back' }),
        }),
      )
      .meta({ description: 'Providers that the page offers' }),
    redirect_uri: z.string().nullable().meta({ description: 'Where the page leads the person on' }),
    opener_origin: z.string().nullable().meta({ description: 'Origin of the page that is notified how it ended' }),
    language: z.enum(CONNECT_LANGUAGES).nullable().meta({ description: 'Null: that of the person’s browser' }),
    created_at: instantSchema,
    expires_at: instantSchema,
  })
  .meta({ id: 'ConnectLink' });
export type ConnectLink = z.infer<typeof connectLinkSchema>;

export const newConnectLinkSchema = connectLinkSchema
  .extend({
    url: z.string().meta({ format: 'uri', description: 'Address for the person; shown here and never again' }),
  })
  .meta({ id: 'NewConnectLink' });
export type NewConnectLink = z.infer<typeof newConnectLinkSchema>;

const pageParams = z.object({
  token: z.string().meta({
    description: 'The secret of the link, or its id in a browser that began a consent with it',
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
  params: userParams,
  body: connectLinkInputSchema.nullish(),
  response: newConnectLinkSchema,
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
  params: userParams,
  response: z.object({ items: z.array(connectLinkSchema) }),
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
  params: userParams.extend({ link_id: uuidParam }),
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
  params: userParams.extend({ link_id: uuidParam }),
  response: newConnectLinkSchema,
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
  params: pageParams,
  query: z.object({
    provider: z.string().max(64).optional().describe('Provider from whose consent the person comes back'),
  }),
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
  params: pageParams.extend({ provider: providerSchema }),
});
