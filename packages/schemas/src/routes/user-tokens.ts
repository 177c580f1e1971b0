import { z } from 'zod';
import { userParams } from '../parameters.js';
import { defineRoute } from '../route.js';
import { tokensSchema } from './sessions.js';

export const createUserToken = defineRoute({
  id: 'createUserToken',
  method: 'POST',
  path: '/api/v1/users/{user_id}/token',
  tag: 'Device tokens',
  summary: 'Create device tokens for a user',
  description:
    'Send `app_id` and `app_secret` in the body, or a developer’s access token; the body takes precedence. The access token opens only this user’s /sdk/ routes.',
  auth: 'application',
  audit: { resource: 'user_token', action: 'create' },
  limit: 'token',
  status: 200,
  errors: [400],
  params: userParams,
  body: z.object({ app_id: z.string().nullish(), app_secret: z.string().nullish() }).nullish(),
  response: tokensSchema,
});
