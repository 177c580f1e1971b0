import { KEY_SCOPES } from '@healthd/contract';
import { SECONDS_PER_DAY } from '@healthd/model';
import { z } from 'zod';
import { instantSchema, uuidSchema } from '../envelope.js';
import { uuidParam } from '../parameters.js';
import { problem } from '../problem.js';
import { defineRoute } from '../route.js';
import { textField } from '../text.js';

/** API key in lists, masked. */
export const apiKeySchema = z
  .object({
    id: uuidSchema,
    name: z.string(),
    prefix: z.string(),
    last_four: z.string(),
    scopes: z.array(z.enum(KEY_SCOPES)).nullable().meta({
      description: 'Null means full access. `assistant`: read only, without data whose vendor forbids AI use',
    }),
    created_by: uuidSchema.nullable(),
    created_at: instantSchema,
    last_used_at: instantSchema.nullable(),
    expires_at: instantSchema.nullable(),
    replaced_by: uuidSchema.nullable().meta({
      description:
        'ID of the key that replaced this one. This key works until `expires_at`. Null if it was not rotated',
    }),
  })
  .meta({ id: 'ApiKey' });
export type ApiKeyResponse = z.infer<typeof apiKeySchema>;

export const createdApiKeySchema = apiKeySchema
  .extend({ key: z.string().meta({ description: 'The full key. It is returned only once' }) })
  .meta({ id: 'CreatedApiKey' });

const nameSchema = textField(255);
const MAX_GRACE_SECONDS = 30 * SECONDS_PER_DAY;
const keyParams = z.object({ key_id: uuidParam });

const expirySchema = z.iso.datetime({ offset: true }).transform((text, context) => {
  const instant = new Date(text);
  if (Number.isNaN(instant.getTime())) {
    return problem(context, 'datetime_parsing', 'Input should be a valid datetime');
  }
  return instant.getTime() > Date.now() ? instant : problem(context, 'value_error', 'expires_at must be in the future');
});

/** Rejects `assistant` together with other scopes, because `assistant` grants less than the other scopes. */
const keyScopes = z
  .array(z.enum(KEY_SCOPES))
  .min(1)
  .superRefine((scopes, context) => {
    if (scopes.includes('assistant') && scopes.length > 1) {
      problem(context, 'value_error', 'the scope assistant cannot be combined with other scopes');
    }
  });

export const listApiKeys = defineRoute({
  id: 'listApiKeys',
  method: 'GET',
  path: '/api/v1/developer/api-keys',
  tag: 'API keys',
  summary: 'List API keys, newest first',
  auth: 'developer',
  audit: { exempt: 'lists masked keys, no user data' },
  status: 200,
  response: z.array(apiKeySchema),
});

export const createApiKey = defineRoute({
  id: 'createApiKey',
  method: 'POST',
  path: '/api/v1/developer/api-keys',
  tag: 'API keys',
  summary: 'Create an API key',
  auth: 'developer',
  audit: { resource: 'api_key', action: 'create' },
  status: 201,
  body: z
    .object({
      name: nameSchema.nullish(),
      scopes: keyScopes.nullish(),
      expires_at: expirySchema.nullish(),
    })
    .nullish(),
  response: createdApiKeySchema,
});

export const renameApiKey = defineRoute({
  id: 'renameApiKey',
  method: 'PATCH',
  path: '/api/v1/developer/api-keys/{key_id}',
  tag: 'API keys',
  summary: 'Rename an API key',
  auth: 'developer',
  audit: { resource: 'api_key', action: 'update' },
  status: 200,
  errors: [404],
  params: keyParams,
  body: z.object({ name: nameSchema.nullish() }).prefault({}),
  response: apiKeySchema,
});

export const deleteApiKey = defineRoute({
  id: 'deleteApiKey',
  method: 'DELETE',
  path: '/api/v1/developer/api-keys/{key_id}',
  tag: 'API keys',
  summary: 'Revoke an API key',
  description: 'The key stops working within a second.',
  auth: 'developer',
  audit: { resource: 'api_key', action: 'delete' },
  status: 200,
  errors: [404],
  params: keyParams,
  response: apiKeySchema,
});

export const rotateApiKey = defineRoute({
  id: 'rotateApiKey',
  method: 'POST',
  path: '/api/v1/developer/api-keys/{key_id}/rotate',
  tag: 'API keys',
  summary: 'Rotate an API key',
  description:
    'Creates a new key with its own ID and the same name, scopes and expiry. The old key expires immediately or after the grace period. Returns 409 if the key has expired.',
  auth: 'developer',
  audit: { resource: 'api_key', action: 'update' },
  status: 201,
  errors: [404, 409],
  params: keyParams,
  body: z
    .object({
      grace_seconds: z
        .int()
        .min(0)
        .max(MAX_GRACE_SECONDS)
        .nullish()
        .describe('Seconds for which the old key keeps working; 0 by default, at most 30 days'),
    })
    .nullish(),
  response: createdApiKeySchema,
});
