import { INVITATION_STATUSES } from '@healthd/contract';
import { z } from 'zod';
import { instantSchema, uuidSchema } from '../envelope.js';
import { uuidParam } from '../parameters.js';
import { defineRoute } from '../route.js';
import { emailField, newPasswordField, textField } from '../text.js';
import { developerSchema } from './developers.js';

export const invitationSchema = z
  .object({
    id: uuidSchema,
    email: z.string(),
    token: z.string().nullable().meta({
      description:
        'Token for the invitation link; null if it can no longer be decrypted. Resend the invitation to get a new one',
    }),
    status: z
      .enum(INVITATION_STATUSES)
      .meta({ description: 'The service sends no mail, so `sent` and `failed` do not occur' }),
    expires_at: instantSchema,
    created_at: instantSchema,
    invited_by_id: uuidSchema.nullable(),
  })
  .meta({ id: 'Invitation' });
export type InvitationResponse = z.infer<typeof invitationSchema>;

const invitationParams = z.object({ invitation_id: uuidParam });

export const listInvitations = defineRoute({
  id: 'listInvitations',
  method: 'GET',
  path: '/api/v1/invitations',
  tag: 'Invitations',
  summary: 'List open and expired invitations, newest first',
  auth: 'developer',
  audit: { resource: 'invitation', action: 'read' },
  status: 200,
  response: z.array(invitationSchema),
});

export const createInvitation = defineRoute({
  id: 'createInvitation',
  method: 'POST',
  path: '/api/v1/invitations',
  tag: 'Invitations',
  summary: 'Invite a developer',
  description: 'The service sends no mail. Give the link with the token to the invited person.',
  auth: 'developer',
  audit: { resource: 'invitation', action: 'create' },
  status: 201,
  errors: [400],
  body: z.object({ email: emailField }),
  response: invitationSchema,
});

export const resendInvitation = defineRoute({
  id: 'resendInvitation',
  method: 'POST',
  path: '/api/v1/invitations/{invitation_id}/resend',
  tag: 'Invitations',
  summary: 'Renew an invitation’s token and expiry',
  auth: 'developer',
  audit: { resource: 'invitation', action: 'update' },
  status: 200,
  errors: [400, 404],
  params: invitationParams,
  response: invitationSchema,
});

export const revokeInvitation = defineRoute({
  id: 'revokeInvitation',
  method: 'DELETE',
  path: '/api/v1/invitations/{invitation_id}',
  tag: 'Invitations',
  summary: 'Revoke an invitation',
  auth: 'developer',
  audit: { resource: 'invitation', action: 'delete' },
  status: 200,
  errors: [400, 404],
  params: invitationParams,
  response: invitationSchema,
});

export const acceptInvitation = defineRoute({
  id: 'acceptInvitation',
  method: 'POST',
  path: '/api/v1/invitations/accept',
  tag: 'Invitations',
  summary: 'Accept an invitation',
  description: 'Creates the developer without a session. Log in afterwards.',
  auth: 'public',
  audit: { resource: 'developer', action: 'create' },
  limit: 'accept',
  status: 201,
  errors: [400, 404, 409],
  body: z.object({
    token: z.string(),
    first_name: textField(100).min(1),
    last_name: textField(100).min(1),
    password: newPasswordField,
  }),
  response: developerSchema,
});
