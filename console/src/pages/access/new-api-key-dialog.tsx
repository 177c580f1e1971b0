import { KEY_SCOPES, type KeyScope, SCOPES } from '@healthd/contract';
import { useForm } from 'react-hook-form';
import { Dialog } from '../../components/dialog.js';
import { CheckboxGroup } from '../../components/form/checkbox-group.js';
import { DialogForm } from '../../components/form/dialog-form.js';
import { FormField } from '../../components/form/form-field.js';
import { TRIMMED } from '../../components/form/rules.js';
import { Secret } from '../../components/secret.js';
import { useCreateApiKey } from '../../hooks/use-api-keys.js';
import { keyScopes } from './key-scopes.js';

const MEANINGS = {
  read: 'read data and status',
  write: 'create and update users, connect, sync, import',
  push: 'push device data',
  assistant: 'read only, without data that vendors withhold from AI; other permissions are ignored',
} as const;
const RIGHTS = KEY_SCOPES.map(
  (scope) =>
    [
      scope,
      <>
        <b>{scope}</b> <span className="muted">{MEANINGS[scope]}</span>
      </>,
    ] as const,
);

/** Creates a key and shows it once. */
export function NewApiKeyDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateApiKey();
  const form = useForm({ defaultValues: { name: '', scopes: [...SCOPES] as KeyScope[], expires_at: '' } });
  if (create.data) {
    return (
      <Dialog title="API key created" locked onClose={onClose}>
        <Secret text={create.data.key} onClose={onClose}>
          Copy the key now. You cannot view it again.
        </Secret>
      </Dialog>
    );
  }
  return (
    <Dialog title="Create an API key" locked={create.isPending} onClose={onClose}>
      <DialogForm
        form={form}
        onSubmit={({ name, scopes, expires_at: day }) =>
          create.mutateAsync({
            name: name || null,
            scopes: keyScopes(scopes),
            expires_at: day ? new Date(`${day}T00:00`).toISOString() : null,
          })
        }
        error={create.error}
        action="Create key"
        locked={create.isPending}
        onClose={onClose}
      >
        <FormField form={form} name="name" label="Name" rules={TRIMMED}>
          {(control) => <input {...control} autoComplete="off" maxLength={255} placeholder="Purpose of the key" />}
        </FormField>
        <CheckboxGroup
          form={form}
          name="scopes"
          label="Permissions"
          options={RIGHTS}
          rules={{ required: 'Select at least one permission.' }}
        />
        <FormField form={form} name="expires_at" label="Expires">
          {(control) => <input {...control} type="date" />}
        </FormField>
      </DialogForm>
    </Dialog>
  );
}
