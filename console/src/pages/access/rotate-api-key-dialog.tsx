import { SECONDS_PER_DAY, SECONDS_PER_HOUR } from '@healthd/model';
import type { ApiKeyResponse } from '@healthd/schemas';
import { useForm } from 'react-hook-form';
import { Dialog } from '../../components/dialog.js';
import { DialogForm } from '../../components/form/dialog-form.js';
import { FormField } from '../../components/form/form-field.js';
import { Secret } from '../../components/secret.js';
import { useRotateApiKey } from '../../hooks/use-api-keys.js';

const GRACES = [
  [0, 'expires now'],
  [SECONDS_PER_HOUR, 'works for another hour'],
  [SECONDS_PER_DAY, 'works for another day'],
  [7 * SECONDS_PER_DAY, 'works for another week'],
] as const;

/** Rotates a key with a grace period for the old key, and shows the new key once. */
export function RotateApiKeyDialog({ apiKey, onClose }: { apiKey: ApiKeyResponse; onClose: () => void }) {
  const form = useForm({ defaultValues: { grace_seconds: SECONDS_PER_DAY } });
  const rotate = useRotateApiKey(apiKey.id);
  if (rotate.data) {
    return (
      <Dialog title={`New key for “${apiKey.name}”`} locked onClose={onClose}>
        <Secret text={rotate.data.key} onClose={onClose}>
          Copy the key now. You cannot view it again. The old key{' '}
          {GRACES.find(([seconds]) => seconds === rotate.variables)?.[1]}.
        </Secret>
      </Dialog>
    );
  }
  return (
    <Dialog title={`Rotate “${apiKey.name}”?`} locked={rotate.isPending} onClose={onClose}>
      <DialogForm
        form={form}
        onSubmit={(values) => rotate.mutateAsync(values.grace_seconds)}
        error={rotate.error}
        action="Rotate key"
        locked={rotate.isPending}
        onClose={onClose}
      >
        <p>Creates a key with the same name, permissions and expiry. Update your programs to use it.</p>
        <FormField form={form} name="grace_seconds" label="The old key" rules={{ valueAsNumber: true }}>
          {(control) => (
            <select {...control}>
              {GRACES.map(([seconds, words]) => (
                <option key={seconds} value={seconds}>
                  {words}
                </option>
              ))}
            </select>
          )}
        </FormField>
      </DialogForm>
    </Dialog>
  );
}
