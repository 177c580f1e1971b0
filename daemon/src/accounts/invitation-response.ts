import type { InvitationResponse } from '@healthd/schemas';
import type { SealedField, Vault } from '../vault/index.js';
import type { DeveloperInvitation } from './models.js';

/** Expiry is read off the clock and never stored, so nothing has to notice it. */
export function stateOf({ status, expiresAt }: DeveloperInvitation): InvitationResponse['status'] {
  return status === 'pending' && expiresAt.getTime() <= Date.now() ? 'expired' : status;
}

export function tokenField(invitationId: string): SealedField {
  return { table: 'developer_invitation', column: 'token_sealed', row: invitationId };
}

export function invitationResponse(row: DeveloperInvitation, vault: Vault): InvitationResponse {
  return {
    id: row.id,
    email: row.email,
    token: vault.open(tokenField(row.id), row.tokenSealed) ?? null,
    status: stateOf(row),
    expires_at: row.expiresAt.toISOString(),
    created_at: row.createdAt.toISOString(),
    invited_by_id: row.invitedById,
  };
}
