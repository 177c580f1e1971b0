import type { FormEvent } from 'react';
import { Dialog } from '../../components/dialog.js';
import { Problem } from '../../components/problem.js';
import { Secret } from '../../components/secret.js';
import { useInvite } from '../../hooks/use-developers.js';

/** How an invitation is passed on. */
export const ACCEPTING = (
  <>
    No mail is sent: give this token to the person, who accepts it with <code>healthctl invitations accept</code>.
  </>
);

/** Invites a developer, and shows the token to pass on. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const invite = useInvite();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    invite.mutate(String(new FormData(event.currentTarget).get('email')).trim());
  };
  return (
    <Dialog
      title={invite.data ? `The invitation of ${invite.data.email}` : 'Invite a developer'}
      locked={invite.isPending || invite.isSuccess}
      onClose={onClose}
    >
      {invite.data ? (
        <Secret text={invite.data.token ?? ''} onClose={onClose}>
          {ACCEPTING}
        </Secret>
      ) : (
        <form onSubmit={submit}>
          <p>A developer sees everything in this console and may change all of it.</p>
          <label>
            Email
            <input name="email" type="email" autoComplete="off" required />
          </label>
          {invite.error && <Problem error={invite.error} />}
          <div className="row end">
            <button type="button" disabled={invite.isPending} onClick={onClose}>
              Cancel
            </button>
            <button type="submit" className="primary" disabled={invite.isPending}>
              Invite
            </button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
