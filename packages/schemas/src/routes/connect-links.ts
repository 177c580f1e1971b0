import { CONNECT_LANGUAGES, CONNECT_LINK_STATES, CONNECT_OUTCOMES } from '@healthd/contract';
import { z } from 'zod';
import { instantSchema, uuidSchema } from '../envelope.js';
import { userParams, uuidParam } from '../parameters.js';
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

export const connectLinksRouteSchemas = {
  createConnectLink: { params: userParams, body: connectLinkInputSchema.nullish(), response: newConnectLinkSchema },
  listConnectLinks: { params: userParams, response: z.object({ items: z.array(connectLinkSchema) }) },
  renewConnectLink: { params: userParams.extend({ link_id: uuidParam }), response: newConnectLinkSchema },
  revokeConnectLink: { params: userParams.extend({ link_id: uuidParam }) },
  showConnectPage: {
    params: pageParams,
    query: z.object({
      provider: z.string().max(64).optional().describe('Provider from whose consent the person comes back'),
    }),
  },
  beginConnectLink: { params: pageParams.extend({ provider: providerSchema }) },
};
