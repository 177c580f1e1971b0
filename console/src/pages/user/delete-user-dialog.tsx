import { deleteUser, getDataSummary } from '@healthd/contract';
import type { UserResponse } from '@healthd/schemas';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { Dialog } from '../../components/dialog.js';
import { Problem } from '../../components/problem.js';
import { formatCount, userName } from '../../format.js';
import { client } from '../../session.js';

/** Names the person and what goes with them; the name has to be typed, so that a slip deletes nobody. */
export function DeleteUserDialog({ user, onClose }: { user: UserResponse; onClose: () => void }) {
  const name = userName(user);
  const params = { user_id: user.id };
  const [typed, setTyped] = useState('');
  const navigate = useNavigate();
  const queries = useQueryClient();
  const summary = useQuery({
    queryKey: ['data', user.id],
    queryFn: ({ signal }) => client.call(getDataSummary, { params, query: {}, signal }),
  });
  const remove = useMutation({
    mutationFn: () => client.call(deleteUser, { params }),
    onSuccess: async () => {
      await navigate('/users', { state: { notice: `${name} and everything held about them was deleted.` } });
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey.includes(user.id) });
      await queries.invalidateQueries();
    },
  });
  return (
    <Dialog title={`Delete ${name}?`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (typed.trim() === name) remove.mutate();
        }}
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
          It cannot be undone.
        </p>
        <label>
          <span>
            Type <b>{name}</b> to confirm
          </span>
          <input
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            autoComplete="off"
            spellCheck={false}
          />
        </label>
        {remove.error && <Problem error={remove.error} />}
        <div className="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="danger solid" disabled={typed.trim() !== name || remove.isPending}>
            {remove.isPending ? 'Deleting…' : 'Delete user'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
