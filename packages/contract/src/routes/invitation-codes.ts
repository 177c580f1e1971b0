import { defineRoute } from '../route.js';

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
});
