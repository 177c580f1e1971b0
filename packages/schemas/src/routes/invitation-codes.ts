import { z } from 'zod';
import { instantSchema, uuidSchema } from '../envelope.js';
import { userParams } from '../parameters.js';
import { problem } from '../problem.js';
import { defineRoute } from '../route.js';
import { tokensSchema } from './sessions.js';

export const invitationCodeSchema = z
  .object({
    id: uuidSchema,
    code: z.string().meta({ description: 'Shown here and never again' }),
    user_id: uuidSchema,
    expires_at: instantSchema,
    created_at: instantSchema,
  })
  .meta({ id: 'InvitationCode' });
export type InvitationCodeResponse = z.infer<typeof invitationCodeSchema>;

export const userTokensSchema = tokensSchema.extend({ user_id: uuidSchema }).meta({ id: 'UserTokens' });
export type UserTokens = z.infer<typeof userTokensSchema>;

const CODE = /^[A-Z2-9]{8}$/;
/** What is longer was never a code, however it was typed. */
const MAX_TYPED = 64;

/** A code as people type it: in any case, with spaces or dashes between its characters. */
const codeField = z.string().transform((text, context) => {
  const code = text.length > MAX_TYPED ? '' : text.replaceAll(/[\s-]/g, '').toUpperCase();
  if (CODE.test(code)) return code;
  const message = `String should match pattern '${CODE.source}'`;
  return problem(context, 'string_pattern_mismatch', message, { pattern: CODE.source });
});

export const createInvitationCode = defineRoute({
  id: 'createInvitationCode',
  method: 'POST',
  path: '/api/v1/users/{user_id}/invitation-code',
  tag: 'Device tokens',
  summary: 'Create a code that a user types into the app',
  description: 'Earlier codes of the user that could still be used end.',
  auth: 'developer',
  audit: { resource: 'invitation_code', action: 'create' },
  status: 201,
  params: userParams,
  response: invitationCodeSchema,
});

export const redeemInvitationCode = defineRoute({
  id: 'redeemInvitationCode',
  method: 'POST',
  path: '/api/v1/invitation-code/redeem',
  tag: 'Device tokens',
  summary: 'Exchange a code for device tokens, once',
  auth: 'public',
  audit: { resource: 'user_token', action: 'create' },
  limit: 'redeem',
  ignoresUnknown: true,
  status: 200,
  errors: [404],
  body: z.object({ code: codeField }),
  response: userTokensSchema,
});
