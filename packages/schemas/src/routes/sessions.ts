import { z } from 'zod';
import { uuidSchema } from '../envelope.js';

/** Answer of every operation that opens or prolongs a session. `expires_in` is in seconds. */
export const tokensSchema = z
  .object({
    access_token: z.string(),
    token_type: z.literal('bearer'),
    refresh_token: z.string(),
    expires_in: z.int(),
  })
  .meta({ id: 'Tokens' });
export type Tokens = z.infer<typeof tokensSchema>;

export const developerTokensSchema = tokensSchema.extend({ developer_id: uuidSchema }).meta({ id: 'DeveloperTokens' });
export type DeveloperTokens = z.infer<typeof developerTokensSchema>;

export const messageSchema = z.object({ message: z.string() }).meta({ id: 'Message' });

// A field that is missing or of another form is a wrong credential (401) and no validation error, so that the answer
// never says how close a guess was.
const credential = z.string().optional().catch(undefined);

export const sessionsRouteSchemas = {
  login: {
    body: z
      .object({
        username: credential.describe('Email of the developer'),
        password: credential,
        grant_type: credential.describe('`password` when sent'),
      })
      .optional(),
    response: developerTokensSchema,
  },
  refreshTokens: {
    body: z.object({ refresh_token: z.string() }),
    response: tokensSchema,
  },
  revokeToken: {
    body: z.object({ refresh_token: z.string() }),
  },
  logout: {
    response: messageSchema,
  },
};
