import type { ProviderSettingResponse } from '@healthd/schemas';
import { Dialog } from '../../components/dialog.js';
import { Problem } from '../../components/problem.js';
import { formatCount } from '../../format.js';
import { useConnectedUsers } from '../../hooks/use-all-connections.js';

interface EnableDialogProps {
  setting: ProviderSettingResponse;
  onConfirm: () => void;
  onClose: () => void;
}

/** Confirms enabling or disabling a provider, because the change affects all connected users. */
export function EnableDialog({ setting, onConfirm, onClose }: EnableDialogProps) {
  const { name, provider, is_enabled: isEnabled } = setting;
  const users = useConnectedUsers(provider);
  const action = isEnabled ? 'Disable' : 'Enable';
  return (
    <Dialog title={`${action} ${name}?`} onClose={onClose}>
      <div className="new-link">
        {users.error && <Problem error={users.error} retry={users.refetch} />}
        {users.data !== undefined && <p>{concerned(users.data)}</p>}
        {users.isPending && <p aria-busy="true">Counting connected users…</p>}
        <p>
          {isEnabled
            ? 'The service neither fetches nor accepts new data while the provider is disabled. Stored data is retained.'
            : 'The service fetches and accepts new data again.'}
        </p>
        <div className="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="button"
            className={isEnabled ? 'danger solid' : 'primary'}
            disabled={users.isPending}
            onClick={onConfirm}
          >
            {action}
          </button>
        </div>
      </div>
    </Dialog>
  );
}

function concerned(users: number): string {
  if (users === 0) return 'No users are connected.';
  return `${formatCount(users)} ${users === 1 ? 'user is' : 'users are'} connected.`;
}
