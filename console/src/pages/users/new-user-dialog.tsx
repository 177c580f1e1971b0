import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router';
import { Dialog } from '../../components/dialog.js';
import { DialogForm } from '../../components/form/dialog-form.js';
import { FormField } from '../../components/form/form-field.js';
import { EMAIL, TRIMMED } from '../../components/form/rules.js';
import { useCreateUser } from '../../hooks/use-users.js';

const FIELDS = [
  ['first_name', 'First name', 'text'],
  ['last_name', 'Last name', 'text'],
  ['email', 'Email', 'email'],
] as const;

export function NewUserDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const create = useCreateUser((userId) => navigate(`/users/${userId}`));
  const form = useForm({ defaultValues: { first_name: '', last_name: '', email: '' } });
  return (
    <Dialog title="New user" onClose={onClose}>
      <DialogForm
        form={form}
        onSubmit={(values) => create.mutateAsync(filled(values))}
        error={create.error}
        action="Create user"
        onClose={onClose}
      >
        <p className="muted">All fields are optional.</p>
        {FIELDS.map(([name, label, type]) => (
          <FormField
            key={name}
            form={form}
            name={name}
            label={label}
            rules={{ ...TRIMMED, pattern: type === 'email' ? EMAIL : undefined }}
          >
            {(control) => <input {...control} type={type} autoComplete="off" maxLength={100} />}
          </FormField>
        ))}
      </DialogForm>
    </Dialog>
  );
}

function filled(values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
}
