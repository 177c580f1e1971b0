import { z } from 'zod';
import { userParams } from '../parameters.js';
import { defineRoute } from '../route.js';
import { tokensSchema } from './sessions.js';

export const createUserToken = defineRoute({
  id: 'createUserToken',
  method: 'POST',
  path: '/api/v1/users/{user_id}/token',
  tag: 'Device tokens',
  summary: 'Obtain tokens with which a device pushes data of one user',
  description:
    'By `app_id` and `app_secret` in the body, which are looked at first, or by the access token of a developer. The access token opens /sdk/ routes of this user and nothing else.',
  auth: 'application',
  audit: { resource: 'user_token', action: 'create' },
  limit: 'token',
  status: 200,
  errors: [400],
  params: userParams,
  body: z.object({ app_id: z.string().nullish(), app_secret: z.string().nullish() }).nullish(),
  response: tokensSchema,
});
