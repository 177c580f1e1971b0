import { type FormEvent, useId } from 'react';
import { Dialog } from '../../components/dialog.js';
import { Problem } from '../../components/problem.js';
import { useSetTimeZone } from '../../hooks/use-users.js';

/** Sets the zone by which the days of a user begin. */
export function TimeZoneDialog({ userId, onClose }: { userId: string; onClose: () => void }) {
  const list = useId();
  const set = useSetTimeZone(userId, onClose);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    set.mutate(String(new FormData(event.currentTarget).get('zone')).trim());
  };
  return (
    <Dialog title="Set the time zone" onClose={onClose}>
      <form onSubmit={submit}>
        <p className="muted">Data that came without an offset from UTC move to the days of this zone.</p>
        <label>
          Time zone of the person
          <input name="zone" list={list} required placeholder="Europe/Warsaw" autoComplete="off" />
        </label>
        <datalist id={list}>
          {Intl.supportedValuesOf('timeZone').map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
        {set.error && <Problem error={set.error} />}
        <div className="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="primary" disabled={set.isPending}>
            Set the time zone
          </button>
        </div>
      </form>
    </Dialog>
  );
}
