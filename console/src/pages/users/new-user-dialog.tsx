import type { FormEvent } from 'react';
import { useNavigate } from 'react-router';
import { Dialog } from '../../components/dialog.js';
import { Problem } from '../../components/problem.js';
import { useCreateUser } from '../../hooks/use-users.js';

const FIELDS = [
  ['first_name', 'First name', 'text'],
  ['last_name', 'Last name', 'text'],
  ['email', 'Email', 'email'],
] as const;

export function NewUserDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const create = useCreateUser((userId) => navigate(`/users/${userId}`));
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const filled = FIELDS.map(([name]) => [name, String(form.get(name)).trim()]).filter(([, value]) => value);
    create.mutate(Object.fromEntries(filled));
  }
  return (
    <Dialog title="New user" onClose={onClose}>
      <form onSubmit={submit}>
        <p className="muted">All fields are optional.</p>
        {FIELDS.map(([name, label, type]) => (
          <label key={name}>
            {label}
            <input name={name} type={type} autoComplete="off" maxLength={100} />
          </label>
        ))}
        {create.error && <Problem error={create.error} />}
        <div className="row end">
          <button type="button" onClick={onClose}>
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
