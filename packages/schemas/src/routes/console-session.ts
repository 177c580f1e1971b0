import { CONSOLE_HEADER } from '@healthd/contract';
import { z } from 'zod';
import { uuidSchema } from '../envelope.js';

const consoleHeaders = z.object({
  [CONSOLE_HEADER.name]: z.enum([CONSOLE_HEADER.value]).meta({ description: 'Says that a page of the console asks' }),
});

/** Answer to a page: what it keeps in memory. `expires_in` is in seconds. */
export const consoleTokensSchema = z
  .object({ access_token: z.string(), token_type: z.literal('bearer'), expires_in: z.int(), developer_id: uuidSchema })
  .meta({ id: 'ConsoleTokens' });
export type ConsoleTokens = z.infer<typeof consoleTokensSchema>;

const credential = z.string().optional().catch(undefined);

export const consoleSessionRouteSchemas = {
  openConsoleSession: {
    headers: consoleHeaders,
    body: z.object({ username: credential.describe('Email of the developer'), password: credential }).optional(),
    response: consoleTokensSchema,
  },
  renewConsoleSession: {
    headers: consoleHeaders,
    response: consoleTokensSchema,
  },
  endConsoleSession: {
    headers: consoleHeaders,
  },
};
