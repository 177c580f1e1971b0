import { isProviderId } from '@healthd/model';
import type { ProviderDiagnosis } from '@healthd/schemas';
import { useState } from 'react';
import { Link } from 'react-router';
import { loadDialog } from '../../../components/load-dialog.js';
import { SyncNow } from '../sync-now.js';
import { SendLink } from './send-link.js';

// Loads the dialog on first use.
const TimeZoneDialog = loadDialog(async () => (await import('../time-zone-dialog.js')).TimeZoneDialog);

/** Button that fixes a cause; hidden if no developer action helps. */
export function Remedy({ userId, verdict }: { userId: string; verdict: ProviderDiagnosis }) {
  const [isOpen, setOpen] = useState(false);
  const { remedy, provider, details } = verdict;
  switch (remedy) {
    case 'send_connect_link':
      return <SendLink userId={userId} provider={isProviderId(provider) ? provider : undefined} />;
    case 'sync_now':
      return <SyncNow userId={userId} provider={provider} isPrimary />;
    case 'enable_provider':
    case 'set_credentials':
      return (
        <Link className="button" to="/providers">
          {remedy === 'enable_provider' ? 'Enable provider' : 'View provider'}
        </Link>
      );
    case 'set_time_zone':
      return (
        <>
          <button type="button" onClick={() => setOpen(true)}>
            Set time zone
          </button>
          {isOpen && <TimeZoneDialog userId={userId} onClose={() => setOpen(false)} />}
        </>
      );
    default: {
      const run = verdict.cause === 'quota_spent' || verdict.cause === 'run_waiting' ? details[0] : undefined;
      return run === undefined ? null : (
        <Link className="button" to={`/runs/${run}`}>
          View run
        </Link>
      );
    }
  }
}
