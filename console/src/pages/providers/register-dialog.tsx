import { useForm } from 'react-hook-form';
import { Dialog } from '../../components/dialog.js';
import { DialogForm } from '../../components/form/dialog-form.js';
import { FormField } from '../../components/form/form-field.js';
import { useRegister } from '../../hooks/use-subscriptions.js';

interface RegisterDialogProps {
  provider: string;
  /** Provider name. */
  name: string;
  onClose: () => void;
}

/** Registers a URL at the vendor. The default is this service's URL. */
export function RegisterDialog({ provider, name, onClose }: RegisterDialogProps) {
  const register = useRegister(provider);
  const form = useForm({ defaultValues: { callback_url: `${location.origin}/api/v1/providers/${provider}/webhooks` } });
  const submit = async (address: string) => {
    await register.mutateAsync(address);
    onClose();
  };
  return (
    <Dialog title={`Register at ${name}`} onClose={onClose}>
      <DialogForm
        form={form}
        onSubmit={({ callback_url }) => submit(callback_url)}
        error={register.error}
        action="Register URL"
        onClose={onClose}
      >
        <p>
          {name} sends a notification to this URL when data changes. The vendor must be able to reach the URL over
          https.
        </p>
        <FormField
          form={form}
          name="callback_url"
          label="URL"
          rules={{ validate: (address) => URL.canParse(address) || 'Enter a full URL that starts with https://.' }}
        >
          {(control) => <input {...control} type="url" />}
        </FormField>
      </DialogForm>
    </Dialog>
  );
}
