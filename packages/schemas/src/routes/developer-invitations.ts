import { INVITATION_STATUSES } from '@healthd/contract';
import { z } from 'zod';
import { instantSchema, uuidSchema } from '../envelope.js';
import { uuidParam } from '../parameters.js';
import { emailField, newPasswordField, textField } from '../text.js';
import { developerSchema } from './developers.js';

export const invitationSchema = z
  .object({
    id: uuidSchema,
    email: z.string(),
    token: z.string().nullable().meta({
      description: 'Goes into the link to accept; null when it can no longer be read: resend makes a new one',
    }),
    status: z.enum(INVITATION_STATUSES).meta({ description: 'No mail is sent, so `sent` and `failed` do not occur' }),
    expires_at: instantSchema,
    created_at: instantSchema,
    invited_by_id: uuidSchema.nullable(),
  })
  .meta({ id: 'Invitation' });
export type InvitationResponse = z.infer<typeof invitationSchema>;

const invitationParams = z.object({ invitation_id: uuidParam });

export const developerInvitationsRouteSchemas = {
  listInvitations: {
    response: z.array(invitationSchema),
  },
  createInvitation: {
    body: z.object({ email: emailField }),
    response: invitationSchema,
  },
  resendInvitation: {
    params: invitationParams,
    response: invitationSchema,
  },
  revokeInvitation: {
    params: invitationParams,
    response: invitationSchema,
  },
  acceptInvitation: {
    body: z.object({
      token: z.string(),
      first_name: textField(100).min(1),
      last_name: textField(100).min(1),
      password: newPasswordField,
    }),
    response: developerSchema,
  },
};
