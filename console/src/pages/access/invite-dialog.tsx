import { useForm } from 'react-hook-form';
import { Dialog } from '../../components/dialog.js';
import { DialogForm } from '../../components/form/dialog-form.js';
import { FormField } from '../../components/form/form-field.js';
import { EMAIL, TRIMMED } from '../../components/form/rules.js';
import { Secret } from '../../components/secret.js';
import { useInvite } from '../../hooks/use-developers.js';
import { ACCEPTING } from './accepting.js';

/** Invites a developer and shows the invitation token. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const invite = useInvite();
  const form = useForm({ defaultValues: { email: '' } });
  return (
    <Dialog
      title={invite.data ? `Invitation for ${invite.data.email}` : 'Invite a developer'}
      locked={invite.isPending || invite.isSuccess}
      onClose={onClose}
    >
      {invite.data ? (
        <Secret text={invite.data.token ?? ''} onClose={onClose}>
          {ACCEPTING}
        </Secret>
      ) : (
        <DialogForm
          form={form}
          onSubmit={({ email }) => invite.mutateAsync(email)}
          error={invite.error}
          action="Invite developer"
          locked={invite.isPending}
          onClose={onClose}
        >
          <p>A developer can view and change everything in this console.</p>
          <FormField
            form={form}
            name="email"
            label="Email"
            rules={{ ...TRIMMED, required: 'Enter an email address.', pattern: EMAIL }}
          >
            {(control) => <input {...control} type="email" autoComplete="off" />}
          </FormField>
        </DialogForm>
      )}
    </Dialog>
  );
}
