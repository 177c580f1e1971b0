import type { InvitationResponse } from '@healthd/schemas';
import type { SealedField, Vault } from '../vault/index.js';

/** A developer's invitation with the state that its time gives it. */
export interface InvitationRow {
  id: string;
  email: string;
  token_sealed: string;
  status: 'pending' | 'accepted' | 'revoked' | 'expired';
  invited_by_id: string | null;
  created_at: Date;
  expires_at: Date;
}

/** Expiry is read off the clock and never stored, so nothing has to notice it. */
export const INVITATION_COLUMNS = `
id, email, token_sealed, invited_by_id, created_at, expires_at,
case when status = 'pending' and expires_at <= now() then 'expired' else status end as status`;

export function tokenField(invitationId: string): SealedField {
  return { table: 'developer_invitation', column: 'token_sealed', row: invitationId };
}

export function invitationResponse(row: InvitationRow, vault: Vault): InvitationResponse {
  return {
    id: row.id,
    email: row.email,
    token: vault.open(tokenField(row.id), row.token_sealed) ?? null,
    status: row.status,
    expires_at: row.expires_at.toISOString(),
    created_at: row.created_at.toISOString(),
    invited_by_id: row.invited_by_id,
  };
}
