import type { ConnectLink, NewConnectLink } from '@healthd/schemas';
import { useState } from 'react';
import { loadDialog } from '../../../components/load-dialog.js';
import { Loading } from '../../../components/loading.js';
import { Problem } from '../../../components/problem.js';
import { providerName } from '../../../components/provider-name.js';
import { TableCard } from '../../../components/table-card.js';
import { humanize, timeLeft } from '../../../format.js';
import { useConnectLinks, useRenewConnectLink, useRevokeConnectLink } from '../../../hooks/use-connect-links.js';
import { useNow } from '../../../hooks/use-now.js';
import { isRenewable } from './renewable.js';

const NewLink = loadDialog(async () => (await import('./new-link.js')).NewLink);

const LOOKS = { open: 'good', used: 'plain', expired: 'plain', revoked: 'plain' } as const;
const OUTCOMES = {
  open: 'not opened yet',
  connected: 'connected',
  partial: 'partly connected',
  failed: 'failed',
} as const;

/** Sent connect links and their outcome; hidden if there are none. */
export function OpenLinks({ userId }: { userId: string }) {
  const links = useConnectLinks(userId);
  const revoke = useRevokeConnectLink(userId);
  const [made, setMade] = useState<NewConnectLink>();
  const renew = useRenewConnectLink(userId, setMade);
  const now = useNow();
  if (links.error) return <Problem error={links.error} retry={links.refetch} />;
  if (links.isPending) return <Loading height={0} />;
  if (!links.data || links.data.items.length === 0) return null;
  return (
    <>
      {revoke.error && <Problem error={revoke.error} />}
      {renew.error && !made && <Problem error={renew.error} />}
      <TableCard name="Connect links" heading stacked columns={['State', 'Time left', 'Outcome', '']}>
        {links.data.items.map((link) => (
          <tr key={link.id}>
            <td>
              <span className={`badge ${LOOKS[link.status]}`}>{link.status}</span>
            </td>
            <td className="date">{link.status === 'open' ? timeLeft(link.expires_at, now) : '–'}</td>
            <td className="wide">{outcomes(link)}</td>
            <td>
              <div className="actions">
                {isRenewable(link, now) && (
                  <button type="button" disabled={renew.isPending} onClick={() => renew.mutate(link.id)}>
                    Renew
                  </button>
                )}
                {link.status === 'open' && (
                  <button type="button" disabled={revoke.isPending} onClick={() => revoke.mutate(link.id)}>
                    Revoke link
                  </button>
                )}
              </div>
            </td>
          </tr>
        ))}
      </TableCard>
      {made && <NewLink link={made} renew={renew} onClose={() => setMade(undefined)} />}
    </>
  );
}

function outcomes({ providers }: ConnectLink): string {
  return providers
    .map(({ provider, outcome, error, missing_data_types: missing }) => {
      const detail = error ? humanize(error).toLowerCase() : missing.length > 0 ? `without ${missing.join(', ')}` : '';
      return `${providerName(provider)}: ${OUTCOMES[outcome]}${detail && ` (${detail})`}`;
    })
    .join(' · ');
}
