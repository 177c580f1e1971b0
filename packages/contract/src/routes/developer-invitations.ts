import { defineRoute } from '../route.js';

export const INVITATION_STATUSES = ['pending', 'sent', 'failed', 'accepted', 'expired', 'revoked'] as const;

export const listInvitations = defineRoute({
  id: 'listInvitations',
  method: 'GET',
  path: '/api/v1/invitations',
  tag: 'Invitations',
  summary: 'List open and expired invitations, newest first',
  auth: 'developer',
  audit: { resource: 'invitation', action: 'read' },
  status: 200,
});

export const createInvitation = defineRoute({
  id: 'createInvitation',
  method: 'POST',
  path: '/api/v1/invitations',
  tag: 'Invitations',
  summary: 'Invite a developer',
  description: 'No mail is sent: give the invited person the link with the token.',
  auth: 'developer',
  audit: { resource: 'invitation', action: 'create' },
  status: 201,
  errors: [400],
});

export const resendInvitation = defineRoute({
  id: 'resendInvitation',
  method: 'POST',
  path: '/api/v1/invitations/{invitation_id}/resend',
  tag: 'Invitations',
  summary: 'Give an invitation a new token and a new end',
  auth: 'developer',
  audit: { resource: 'invitation', action: 'update' },
  status: 200,
  errors: [400, 404],
});

export const revokeInvitation = defineRoute({
  id: 'revokeInvitation',
  method: 'DELETE',
  path: '/api/v1/invitations/{invitation_id}',
  tag: 'Invitations',
  summary: 'Withdraw an invitation',
  auth: 'developer',
  audit: { resource: 'invitation', action: 'delete' },
  status: 200,
  errors: [400, 404],
});

export const acceptInvitation = defineRoute({
  id: 'acceptInvitation',
  method: 'POST',
  path: '/api/v1/invitations/accept',
  tag: 'Invitations',
  summary: 'Become a developer by an invitation',
  description: 'No session is opened: the new developer logs in afterwards.',
  auth: 'public',
  audit: { resource: 'developer', action: 'create' },
  limit: 'accept',
  status: 201,
  errors: [400, 404, 409],
});
