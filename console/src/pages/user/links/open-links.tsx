import type { ConnectLink } from '@healthd/schemas';
import { Problem } from '../../../components/problem.js';
import { providerName } from '../../../components/provider-name.js';
import { TableCard } from '../../../components/table-card.js';
import { humanize, timeLeft } from '../../../format.js';
import { useConnectLinks, useRevokeConnectLink } from '../../../hooks/use-connect-links.js';
import { useNow } from '../../../hooks/use-now.js';

const LOOKS = { open: 'good', used: 'plain', expired: 'plain', revoked: 'plain' } as const;
const OUTCOMES = {
  open: 'not opened yet',
  connected: 'connected',
  partial: 'connected in part',
  failed: 'failed',
} as const;

/** Links that were sent to the person, and what became of them; nothing where none was. */
export function OpenLinks({ userId }: { userId: string }) {
  const links = useConnectLinks(userId);
  const revoke = useRevokeConnectLink(userId);
  const now = useNow();
  if (links.error) return <Problem error={links.error} retry={links.refetch} />;
  if (!links.data || links.data.items.length === 0) return null;
  return (
    <>
      {revoke.error && <Problem error={revoke.error} />}
      <TableCard name="Links to connect" heading stacked columns={['State', 'Time left', 'What became of it', '']}>
        {links.data.items.map((link) => (
          <tr key={link.id}>
            <td>
              <span className={`badge ${LOOKS[link.status]}`}>{link.status}</span>
            </td>
            <td className="date">{link.status === 'open' ? timeLeft(link.expires_at, now) : '–'}</td>
            <td className="wide">{outcomes(link)}</td>
            <td>
              {link.status === 'open' && (
                <button type="button" disabled={revoke.isPending} onClick={() => revoke.mutate(link.id)}>
                  End the link
                </button>
              )}
            </td>
          </tr>
        ))}
      </TableCard>
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
