import type { ApplicationResponse } from '@healthd/schemas';
import { useForm } from 'react-hook-form';
import { Dialog } from '../../components/dialog.js';
import { DialogForm } from '../../components/form/dialog-form.js';
import { FormField } from '../../components/form/form-field.js';
import { TRIMMED } from '../../components/form/rules.js';
import { Problem } from '../../components/problem.js';
import { Secret } from '../../components/secret.js';
import { useCreateApplication, useRotateApplicationSecret } from '../../hooks/use-applications.js';

/** Creates an application and shows its secret once. */
export function NewApplicationDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateApplication();
  const form = useForm({ defaultValues: { name: '' } });
  return (
    <Dialog
      title={create.data ? `Secret of “${create.data.name}”` : 'New application'}
      locked={create.isPending || create.isSuccess}
      onClose={onClose}
    >
      {create.data ? (
        <Secret text={create.data.app_secret} onClose={onClose}>
          Copy the secret now. You cannot view it again. Keep it on your server, with the app id{' '}
          <code>{create.data.app_id}</code>.
        </Secret>
      ) : (
        <DialogForm
          form={form}
          onSubmit={({ name }) => create.mutateAsync(name)}
          error={create.error}
          action="Create application"
          locked={create.isPending}
          onClose={onClose}
        >
          <FormField form={form} name="name" label="Name" rules={{ ...TRIMMED, required: 'Enter a name.' }}>
            {(control) => <input {...control} autoComplete="off" maxLength={100} />}
          </FormField>
        </DialogForm>
      )}
    </Dialog>
  );
}

/** Rotates an application's secret after confirmation and shows the new secret once. */
export function RotateSecretDialog({
  application,
  onClose,
}: {
  application: ApplicationResponse;
  onClose: () => void;
}) {
  const rotate = useRotateApplicationSecret();
  return (
    <Dialog
      title={`Rotate the secret of “${application.name}”?`}
      locked={rotate.isPending || rotate.isSuccess}
      onClose={onClose}
    >
      {rotate.data ? (
        <Secret text={rotate.data.app_secret} onClose={onClose}>
          Copy the secret now. You cannot view it again.
        </Secret>
      ) : (
        <div className="new-link">
          <p>
            The old secret stops working immediately. Your server cannot obtain tokens until it has the new secret.
            Issued tokens remain valid.
          </p>
          {rotate.error && <Problem error={rotate.error} />}
          <div className="row end">
            <button type="button" disabled={rotate.isPending} onClick={onClose}>
              Cancel
            </button>
            <button
              type="button"
              className="primary"
              disabled={rotate.isPending}
              onClick={() => rotate.mutate(application.app_id)}
            >
              Rotate
            </button>
          </div>
        </div>
      )}
    </Dialog>
  );
}
