import { KEY_SCOPES } from '@healthd/contract';
import { SECONDS_PER_DAY } from '@healthd/model';
import { z } from 'zod';
import { instantSchema, uuidSchema } from '../envelope.js';
import { uuidParam } from '../parameters.js';
import { problem } from '../problem.js';
import { textField } from '../text.js';

/** An API key as lists show it: enough to recognise it, too little to use it. */
export const apiKeySchema = z
  .object({
    id: uuidSchema,
    name: z.string(),
    prefix: z.string(),
    last_four: z.string(),
    scopes: z.array(z.enum(KEY_SCOPES)).nullable().meta({
      description:
        'null: full access. `assistant`: only reads, and data whose vendor forbids AI use is always withheld',
    }),
    created_by: uuidSchema.nullable(),
    created_at: instantSchema,
    last_used_at: instantSchema.nullable(),
    expires_at: instantSchema.nullable(),
    replaced_by: uuidSchema.nullable().meta({
      description:
        'Id of the key that a rotation made in place of this one, which works until `expires_at`; null where none did',
    }),
  })
  .meta({ id: 'ApiKey' });
export type ApiKeyResponse = z.infer<typeof apiKeySchema>;

export const createdApiKeySchema = apiKeySchema
  .extend({ key: z.string().meta({ description: 'The key itself; it is shown here and never again' }) })
  .meta({ id: 'CreatedApiKey' });

const nameSchema = textField(255);
const MAX_GRACE_SECONDS = 30 * SECONDS_PER_DAY;
const keyParams = z.object({ key_id: uuidParam });

const expirySchema = z.iso.datetime({ offset: true }).transform((text, context) => {
  const instant = new Date(text);
  if (Number.isNaN(instant.getTime())) {
    return problem(context, 'datetime_parsing', 'Input should be a valid datetime');
  }
  return instant.getTime() > Date.now()
    ? instant
    : problem(context, 'value_error', 'the key would have expired already');
});

/** `assistant` opens less than the other scopes, so a key that has both would promise what it does not open. */
const keyScopes = z
  .array(z.enum(KEY_SCOPES))
  .min(1)
  .superRefine((scopes, context) => {
    if (scopes.includes('assistant') && scopes.length > 1) {
      problem(context, 'value_error', 'the scope assistant stands alone');
    }
  });

export const apiKeysRouteSchemas = {
  listApiKeys: {
    response: z.array(apiKeySchema),
  },
  createApiKey: {
    body: z
      .object({
        name: nameSchema.nullish(),
        scopes: keyScopes.nullish(),
        expires_at: expirySchema.nullish(),
      })
      .nullish(),
    response: createdApiKeySchema,
  },
  renameApiKey: {
    params: keyParams,
    body: z.object({ name: nameSchema.nullish() }).prefault({}),
    response: apiKeySchema,
  },
  deleteApiKey: {
    params: keyParams,
    response: apiKeySchema,
  },
  rotateApiKey: {
    params: keyParams,
    body: z
      .object({
        grace_seconds: z
          .int()
          .min(0)
          .max(MAX_GRACE_SECONDS)
          .nullish()
          .describe(
            'Seconds for which the old key still works, so that servers can change over; 0 by default, at most 30 days',
          ),
      })
      .nullish(),
    response: createdApiKeySchema,
  },
};
