import { RefreshCw } from 'lucide-react';
import { Link } from 'react-router';
import { Problem } from '../../components/problem.js';
import { providerName } from '../../components/provider-name.js';
import { useSyncNow } from '../../hooks/use-sync.js';

interface SyncNowProps {
  userId: string;
  provider: string;
  /** True if the sync is the remedy of a problem. */
  isPrimary?: boolean;
}

/** Starts a sync and links to its run. */
export function SyncNow({ userId, provider, isPrimary = false }: SyncNowProps) {
  const sync = useSyncNow({ userId, provider });
  return (
    <span className="action">
      <button
        type="button"
        className={isPrimary ? 'primary' : undefined}
        disabled={sync.isPending}
        onClick={() => sync.mutate(undefined)}
        aria-label={`Sync now: ${providerName(provider)}`}
      >
        <RefreshCw className="icon" aria-hidden="true" /> {sync.isPending ? 'Starting…' : 'Sync now'}
      </button>
      <span role="status">{sync.data && <Link to={`/runs/${sync.data.run_id}`}>Follow the run</Link>}</span>
      {sync.error && <Problem error={sync.error} />}
    </span>
  );
}
