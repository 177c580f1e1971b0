import type { TroubledUsers } from '@healthd/schemas';
import { ManyDialog } from '../../components/many-dialog.js';
import { providerName } from '../../components/provider-name.js';
import { formatCount, userName } from '../../format.js';
import { useSyncAll } from '../../hooks/use-trouble.js';

const NAMED = 5;

interface SyncAllDialogProps {
  provider: string;
  /** Listed users. */
  users: TroubledUsers['items'];
  /** Size of the group. */
  total: number;
  onClose: () => void;
}

/** Confirms a sync of all users in a group, and shows progress. */
export function SyncAllDialog({ provider, users, total, onClose }: SyncAllDialogProps) {
  const sync = useSyncAll(provider);
  const count = users.length;
  const names = users.slice(0, NAMED).map((user) => userName({ ...user, id: user.user_id }));
  return (
    <ManyDialog
      title={`Sync ${formatCount(count)} ${count === 1 ? 'user' : 'users'} now?`}
      action="Sync all"
      counted="Syncs started"
      work={sync}
      total={count}
      onBegin={() => sync.mutate(users.map(({ user_id }) => user_id))}
      onClose={onClose}
    >
      {sync.data ? (
        <p role="status">
          {formatCount(sync.data.startedCount)} {sync.data.startedCount === 1 ? 'sync' : 'syncs'} started
          {sync.data.rejectedCount > 0 && `, ${formatCount(sync.data.rejectedCount)} rejected`}. This list updates as
          they end.
        </p>
      ) : (
        <p>
          Starts a sync from {providerName(provider)} of {names.join(', ')}
          {count > NAMED && ` and ${formatCount(count - NAMED)} more`}, at the rate that the vendor allows.
          {total > count && ` ${formatCount(total - count)} others are not synced. Run it again afterwards.`}
        </p>
      )}
    </ManyDialog>
  );
}
