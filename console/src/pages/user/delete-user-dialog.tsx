import type { UserResponse } from '@healthd/schemas';
import { useForm, useWatch } from 'react-hook-form';
import { useNavigate } from 'react-router';
import { Dialog } from '../../components/dialog.js';
import { DialogForm } from '../../components/form/dialog-form.js';
import { FormField } from '../../components/form/form-field.js';
import { TRIMMED } from '../../components/form/rules.js';
import { formatCount, userName } from '../../format.js';
import { useDataSummary } from '../../hooks/use-data.js';
import { useDeleteUser } from '../../hooks/use-users.js';

/** Confirms the deletion of a user. Requires typing the name to prevent accidents. */
export function DeleteUserDialog({ user, onClose }: { user: UserResponse; onClose: () => void }) {
  const name = userName(user);
  const form = useForm({ defaultValues: { name: '' } });
  const typed = useWatch({ control: form.control, name: 'name' });
  const navigate = useNavigate();
  const summary = useDataSummary(user.id);
  const remove = useDeleteUser(user.id, (erasureId) =>
    navigate(`/erasures/${erasureId}`, { state: { notice: `Deleted ${name} and all their data.` } }),
  );
  return (
    <Dialog title={`Delete ${name}?`} onClose={onClose}>
      <DialogForm
        form={form}
        onSubmit={() => remove.mutateAsync()}
        error={remove.error}
        action={remove.isPending ? 'Deleting…' : 'Delete user'}
        danger
        disabled={typed !== name}
        onClose={onClose}
      >
        <p>
          {summary.data ? (
            <>
              This deletes <b>{formatCount(summary.data.total_data_points)}</b> samples,{' '}
              <b>{formatCount(summary.data.total_workouts)}</b> workouts,{' '}
              <b>{formatCount(summary.data.total_sleep_events)}</b> nights and naps, and all runs of this user.
            </>
          ) : (
            'This deletes all health data and all runs of this user.'
          )}{' '}
          You cannot undo this.
        </p>
        <FormField
          form={form}
          name="name"
          label={
            <span>
              Type <b>{name}</b> to confirm
            </span>
          }
          rules={TRIMMED}
        >
          {(control) => <input {...control} autoComplete="off" spellCheck={false} />}
        </FormField>
      </DialogForm>
    </Dialog>
  );
}
