import { createUser } from '@healthd/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { useNavigate } from 'react-router';
import { Dialog } from '../../components/dialog.js';
import { Problem } from '../../components/problem.js';
import { client } from '../../session.js';

const FIELDS = [
  ['first_name', 'First name', 'text'],
  ['last_name', 'Last name', 'text'],
  ['email', 'Email', 'email'],
] as const;

export function NewUserDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: (body: Record<string, string>) => client.call(createUser, { body }),
    onSuccess: (user) => {
      void queries.invalidateQueries({ queryKey: ['users'] });
      navigate(`/users/${user.id}`);
    },
  });
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const filled = FIELDS.map(([name]) => [name, String(form.get(name)).trim()]).filter(([, value]) => value);
    create.mutate(Object.fromEntries(filled));
  }
  return (
    <Dialog title="New user" onClose={onClose}>
      <form onSubmit={submit}>
        <p className="muted">Every field may stay empty.</p>
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
