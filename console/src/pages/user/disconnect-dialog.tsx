import { PROVIDER_NAMES, type ProviderId } from '@healthd/model';
import type { ConnectionResponse } from '@healthd/schemas';
import { useForm, useWatch } from 'react-hook-form';
import { Dialog } from '../../components/dialog.js';
import { DialogForm } from '../../components/form/dialog-form.js';
import { useDisconnect } from '../../hooks/use-connections.js';

/** Confirms a disconnect. Deleting the data is a separate option. */
export function DisconnectDialog({ connection, onClose }: { connection: ConnectionResponse; onClose: () => void }) {
  const name = PROVIDER_NAMES[connection.provider as ProviderId];
  const isActive = connection.status === 'active';
  const form = useForm({ defaultValues: { withData: !isActive } });
  const withData = useWatch({ control: form.control, name: 'withData' });
  const end = useDisconnect(connection, onClose);
  return (
    <Dialog title={isActive ? `Disconnect ${name}?` : `Delete data from ${name}?`} onClose={onClose}>
      <DialogForm
        form={form}
        onSubmit={(values) => end.mutateAsync(values)}
        error={end.error}
        action={withData ? 'Delete data' : 'Disconnect'}
        danger
        disabled={!isActive && !withData}
        onClose={onClose}
      >
        {isActive && (
          <p>
            The consent is revoked here and at the provider. The service fetches no more data and rejects device pushes.
            Reconnecting needs a new consent, or new credentials for the device.
          </p>
        )}
        <label className="check">
          <input type="checkbox" {...form.register('withData')} />
          <span>Delete all data from {name}. You cannot undo this.</span>
        </label>
      </DialogForm>
    </Dialog>
  );
}
