import type { ApplicationResponse } from '@healthd/schemas';
import type { FormEvent } from 'react';
import { Dialog } from '../../components/dialog.js';
import { Problem } from '../../components/problem.js';
import { Secret } from '../../components/secret.js';
import { useCreateApplication, useRotateApplicationSecret } from '../../hooks/use-applications.js';

/** Makes an application and shows its secret once. */
export function NewApplicationDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateApplication();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    create.mutate(String(new FormData(event.currentTarget).get('name')).trim());
  };
  return (
    <Dialog
      title={create.data ? `The secret of “${create.data.name}”` : 'New application'}
      locked={create.isPending || create.isSuccess}
      onClose={onClose}
    >
      {create.data ? (
        <Secret text={create.data.app_secret} onClose={onClose}>
          Copy it now: it is shown only here. Keep it on your server, with the app id <code>{create.data.app_id}</code>.
        </Secret>
      ) : (
        <form onSubmit={submit}>
          <label>
            Name
            <input name="name" autoComplete="off" maxLength={100} required />
          </label>
          {create.error && <Problem error={create.error} />}
          <div className="row end">
            <button type="button" disabled={create.isPending} onClick={onClose}>
              Cancel
            </button>
            <button type="submit" className="primary" disabled={create.isPending}>
              Create
            </button>
          </div>
        </form>
      )}
    </Dialog>
  );
}

/** Replaces the secret of an application after a question, and shows the new one once. */
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
          Copy it now: it is shown only here.
        </Secret>
      ) : (
        <div className="new-link">
          <p>
            The old secret stops working immediately: your server cannot obtain tokens until it has the new one. Tokens
            that were issued go on.
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
