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

/** A link that was sent before and has expired, or soon will: it can be replaced by one click. */
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
