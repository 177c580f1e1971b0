import { getProvider } from '@healthd/contract';
import type { ProviderId } from '@healthd/model';
import { Commands } from '../../components/commands.js';
import { Dialog } from '../../components/dialog.js';
import { Loading } from '../../components/loading.js';
import { Problem } from '../../components/problem.js';
import { useProviderQuota } from '../../hooks/use-providers.js';
import { Quota } from './quota.js';

interface QuotaDialogProps {
  provider: string;
  name: string;
  onClose: () => void;
}

/** Use of the vendor's request quota. */
export function QuotaDialog({ provider, name, onClose }: QuotaDialogProps) {
  const quota = useProviderQuota(provider);
  return (
    <Dialog title={`Quota of ${name}`} onClose={onClose}>
      {quota.error && <Problem error={quota.error} retry={quota.refetch} />}
      {quota.isPending && <Loading />}
      {quota.data === null && <p>The service sends no requests to this vendor until you set its credentials.</p>}
      {quota.data && <Quota quota={quota.data} />}
      <Commands
        healthctl={`healthctl providers show ${provider}`}
        route={getProvider}
        input={{ params: { provider: provider as ProviderId } }}
      />
      <div className="row end">
        <button type="button" className="primary" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
