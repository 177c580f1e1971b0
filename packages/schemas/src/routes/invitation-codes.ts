import { z } from 'zod';
import { instantSchema, uuidSchema } from '../envelope.js';
import { userParams } from '../parameters.js';
import { problem } from '../problem.js';
import { defineRoute } from '../route.js';
import { tokensSchema } from './sessions.js';

export const invitationCodeSchema = z
  .object({
    id: uuidSchema,
    code: z.string().meta({ description: 'Returned only once' }),
    user_id: uuidSchema,
    expires_at: instantSchema,
    created_at: instantSchema,
  })
  .meta({ id: 'InvitationCode' });
export type InvitationCodeResponse = z.infer<typeof invitationCodeSchema>;

export const userTokensSchema = tokensSchema.extend({ user_id: uuidSchema }).meta({ id: 'UserTokens' });
export type UserTokens = z.infer<typeof userTokensSchema>;

const CODE = /^[A-Z2-9]{8}$/;
/** Maximum length of a typed code with spaces and dashes. */
const MAX_TYPED = 64;

/** Code as typed: in upper or lower case, with or without spaces and dashes. */
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
  summary: 'Create an invitation code for a user',
  description: 'The user types the code into the app. Invalidates the user’s earlier unused codes.',
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
  summary: 'Redeem an invitation code for device tokens',
  auth: 'public',
  audit: { resource: 'user_token', action: 'create' },
  limit: 'redeem',
  ignoresUnknown: true,
  status: 200,
  errors: [404],
  body: z.object({ code: codeField }),
  response: userTokensSchema,
});
