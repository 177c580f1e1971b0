import { SCOPES } from '@healthd/contract';
import { type FormEvent, useState } from 'react';
import { Dialog } from '../../components/dialog.js';
import { Problem } from '../../components/problem.js';
import { Secret } from '../../components/secret.js';
import { useCreateApiKey } from '../../hooks/use-api-keys.js';
import { keyScopes } from './key-scopes.js';

const MEANINGS = {
  read: 'read data and states',
  write: 'create and change users, connect, sync, import',
  push: 'send the data of devices',
} as const;

/** Makes a key and shows it once. */
export function NewApiKeyDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateApiKey();
  const [mayNothing, setMayNothing] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const scopes = keyScopes(SCOPES.filter((scope) => form.get(scope) !== null));
    setMayNothing(scopes?.length === 0);
    if (scopes?.length === 0) return;
    const day = String(form.get('expires'));
    create.mutate({
      name: String(form.get('name')).trim() || null,
      scopes,
      expires_at: day ? new Date(`${day}T00:00`).toISOString() : null,
    });
  };
  if (create.data) {
    return (
      <Dialog title="The new key" locked onClose={onClose}>
        <Secret text={create.data.key} onClose={onClose}>
          Copy it now: it is shown only here. Store it with your other secrets.
        </Secret>
      </Dialog>
    );
  }
  return (
    <Dialog title="New API key" locked={create.isPending} onClose={onClose}>
      <form onSubmit={submit}>
        <label>
          Name
          <input name="name" autoComplete="off" maxLength={255} placeholder="What it is for" />
        </label>
        <fieldset className="plain">
          <legend>It may</legend>
          {SCOPES.map((scope) => (
            <label key={scope} className="check">
              <input type="checkbox" name={scope} defaultChecked />
              <span>
                <b>{scope}</b> <span className="muted">{MEANINGS[scope]}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <label>
          Expires
          <input name="expires" type="date" />
        </label>
        {mayNothing && (
          <p className="problem" role="alert">
            Tick at least one right: a key that may do nothing is of no use.
          </p>
        )}
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
    </Dialog>
  );
}
