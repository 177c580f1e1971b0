import type { UserResponse } from '@healthd/schemas';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { Dialog } from '../../components/dialog.js';
import { Problem } from '../../components/problem.js';
import { formatCount, userName } from '../../format.js';
import { useDataSummary } from '../../hooks/use-data.js';
import { useDeleteUser } from '../../hooks/use-users.js';

/** Names the person and what goes with them; the name has to be typed, so that a slip deletes no one. */
export function DeleteUserDialog({ user, onClose }: { user: UserResponse; onClose: () => void }) {
  const name = userName(user);
  const [typed, setTyped] = useState('');
  const navigate = useNavigate();
  const summary = useDataSummary(user.id);
  const remove = useDeleteUser(user.id, (erasureId) =>
    navigate(`/erasures/${erasureId}`, { state: { notice: `${name} and everything held about them was deleted.` } }),
  );
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
