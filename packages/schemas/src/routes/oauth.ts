import { z } from 'zod';
import { uuidSchema } from '../envelope.js';
import { uuidParam } from '../parameters.js';
import { textField } from '../text.js';
import { providerSchema } from '../words.js';

const providerParams = z.object({ provider: providerSchema });
/** What a vendor sends is bounded: nothing longer is theirs. */
const sentBack = z.string().max(4096).optional();

export const oauthRouteSchemas = {
  authorizeProvider: {
    params: providerParams,
    query: z.object({ user_id: uuidParam, redirect_uri: textField(2048).optional() }),
    response: z.object({ authorization_url: z.string(), state: z.string() }).meta({ id: 'Authorization' }),
  },
  startAuthorization: { params: providerParams, query: z.object({ state: sentBack }) },
  completeAuthorization: {
    params: providerParams,
    query: z.object({ code: sentBack, state: sentBack, error: sentBack, error_description: sentBack, scope: sentBack }),
  },
  showConnected: {
    query: z.object({ provider: providerSchema, user_id: uuidParam }),
    response: z
      .object({ success: z.literal(true), message: z.string(), user_id: uuidSchema, provider: z.string() })
      .meta({ id: 'ConnectedPage' }),
  },
  showConnectionError: {
    query: z.object({ message: z.string().max(1024).optional() }),
    response: z.object({ success: z.literal(false), message: z.string() }).meta({ id: 'ConnectionErrorPage' }),
  },
};
