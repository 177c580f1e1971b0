import { z } from 'zod';
import { userParams } from '../parameters.js';
import { tokensSchema } from './sessions.js';

export const userTokensRouteSchemas = {
  createUserToken: {
    params: userParams,
    body: z.object({ app_id: z.string().nullish(), app_secret: z.string().nullish() }).nullish(),
    response: tokensSchema,
  },
};
