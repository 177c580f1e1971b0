import { useId } from 'react';
import { useForm } from 'react-hook-form';
import { Dialog } from '../../components/dialog.js';
import { DialogForm } from '../../components/form/dialog-form.js';
import { FormField } from '../../components/form/form-field.js';
import { TRIMMED } from '../../components/form/rules.js';
import { useSetTimeZone } from '../../hooks/use-users.js';

/** Sets a user's home time zone. */
export function TimeZoneDialog({ userId, onClose }: { userId: string; onClose: () => void }) {
  const list = useId();
  const set = useSetTimeZone(userId, onClose);
  const form = useForm({ defaultValues: { time_zone: '' } });
  return (
    <Dialog title="Set time zone" onClose={onClose}>
      <DialogForm
        form={form}
        onSubmit={({ time_zone }) => set.mutateAsync(time_zone)}
        error={set.error}
        action="Set time zone"
        onClose={onClose}
      >
        <p className="muted">Data without a UTC offset moves to the days of this time zone.</p>
        <FormField
          form={form}
          name="time_zone"
          label="Time zone"
          rules={{ ...TRIMMED, required: 'Enter a time zone, such as Europe/Warsaw.' }}
        >
          {(control) => <input {...control} list={list} placeholder="Europe/Warsaw" autoComplete="off" />}
        </FormField>
        <datalist id={list}>
          {Intl.supportedValuesOf('timeZone').map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
      </DialogForm>
    </Dialog>
  );
}
