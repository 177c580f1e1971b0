import type { ConnectLink } from '@healthd/schemas';
import { providerName } from '../../../components/provider-name.js';
import { timeLeft } from '../../../format.js';
import { remainingProviders } from './renewable.js';

interface OldLinkProps {
  link: ConnectLink;
  nowMs: number;
  disabled: boolean;
  onRenew: () => void;
}

/** Expired or soon expiring link that can be renewed. */
export function OldLink({ link, nowMs, disabled, onRenew }: OldLinkProps) {
  const names = remainingProviders(link).map(providerName).join(', ');
  const isOver = Date.parse(link.expires_at) <= nowMs;
  return (
    <div className="row spread notice">
      <span>
        {isOver
          ? `The last link (${names}) has expired.`
          : `The last link (${names}) is valid for ${timeLeft(link.expires_at, nowMs)}.`}
      </span>
      <button type="button" disabled={disabled} onClick={onRenew}>
        Renew link
      </button>
    </div>
  );
}
