import type { InvitationResponse } from '@healthd/schemas';
import { useState } from 'react';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { Dialog } from '../../components/dialog.js';
import { Instant } from '../../components/instant.js';
import { Loading } from '../../components/loading.js';
import { Problem } from '../../components/problem.js';
import { Secret } from '../../components/secret.js';
import { TableCard } from '../../components/table-card.js';
import { useInvitations, useResendInvitation, useRevokeInvitation } from '../../hooks/use-developers.js';
import { ACCEPTING } from './accepting.js';
import { DeveloperName } from './developer-name.js';

const LOOKS: Partial<Record<InvitationResponse['status'], string>> = { pending: 'good', expired: 'warn' };

/** Pending and expired invitations; hidden if there are none. */
export function Invitations() {
  const invitations = useInvitations();
  const resend = useResendInvitation();
  const revoke = useRevokeInvitation();
  const [pending, setPending] = useState<{ what: 'resend' | 'revoke'; invitation: InvitationResponse }>();
  const close = () => setPending(undefined);
  // Shows the token even if the list refetch fails.
  const token = !pending && resend.data?.token && (
    <Dialog title={`New token for ${resend.data.email}`} locked onClose={resend.reset}>
      <Secret text={resend.data.token} onClose={resend.reset}>
        {ACCEPTING} The previous token no longer works.
      </Secret>
    </Dialog>
  );
  if (invitations.error) {
    return (
      <>
        <Problem error={invitations.error} retry={invitations.refetch} />
        {token}
      </>
    );
  }
  if (invitations.isPending && !token) return <Loading height={0} />;
  if (!invitations.data || invitations.data.length === 0) return token || null;
  return (
    <>
      <TableCard name="Invitations" heading stacked columns={['Email', 'State', 'Ends', 'Invited by', 'Actions']}>
        {invitations.data.map((invitation) => (
          <tr key={invitation.id}>
            <td className="name">{invitation.email}</td>
            <td>
              <span className={`badge ${LOOKS[invitation.status] ?? 'plain'}`}>{invitation.status}</span>
            </td>
            <td>
              <Instant at={invitation.expires_at} />
            </td>
            <td className="nobreak">
              <DeveloperName id={invitation.invited_by_id} />
            </td>
            <td>
              <div className="actions">
                <button
                  type="button"
                  aria-label={`New token for ${invitation.email}`}
                  onClick={() => setPending({ what: 'resend', invitation })}
                >
                  New token…
                </button>
                <button
                  type="button"
                  className="danger"
                  aria-label={`Withdraw the invitation for ${invitation.email}`}
                  onClick={() => setPending({ what: 'revoke', invitation })}
                >
                  Withdraw…
                </button>
              </div>
            </td>
          </tr>
        ))}
      </TableCard>
      {token}
      {pending?.what === 'resend' && (
        <ConfirmDialog
          title={`Create a new token for ${pending.invitation.email}?`}
          action="Create token"
          onConfirm={() => resend.mutateAsync(pending.invitation.id)}
          onClose={close}
        >
          The previous token stops working immediately. The new token is shown once.
        </ConfirmDialog>
      )}
      {pending?.what === 'revoke' && (
        <ConfirmDialog
          title={`Withdraw the invitation for ${pending.invitation.email}?`}
          action="Withdraw invitation"
          onConfirm={() => revoke.mutateAsync(pending.invitation.id)}
          onClose={close}
        >
          The token in the invitation stops working.
        </ConfirmDialog>
      )}
    </>
  );
}
