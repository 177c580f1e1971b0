import type { NewConnectLink } from '@healthd/schemas';
import { encode } from 'uqr';
import { Command } from '../../../components/command.js';
import { Dialog } from '../../../components/dialog.js';
import { Problem } from '../../../components/problem.js';
import { timeLeft } from '../../../format.js';
import { useNow } from '../../../hooks/use-now.js';
import { isRenewable } from './renewable.js';

interface NewLinkProps {
  link: NewConnectLink;
  /** Replaces the link by id; the new link is then passed as `link`. */
  renew: { mutate: (linkId: string) => void; isPending: boolean; error: Error | null };
  /** Returns to the form, if there is one. */
  onAgain?: () => void;
  onClose: () => void;
}

/** URL of a new link, to copy or to scan. Shown once. */
export function NewLink({ link, renew, onAgain, onClose }: NewLinkProps) {
  const now = useNow();
  const left = timeLeft(link.expires_at, now);
  return (
    <Dialog title="Connect link created" locked onClose={onClose}>
      <div className="new-link">
        <Command line={link.url} />
        <QrCode text={link.url} />
        <p className="muted">Valid for {left}, once per provider. Copy the link now. You cannot view it again.</p>
        {renew.error && <Problem error={renew.error} />}
        <div className="row end">
          {isRenewable(link, now) && (
            <button type="button" disabled={renew.isPending} onClick={() => renew.mutate(link.id)}>
              Renew
            </button>
          )}
          {onAgain && (
            <button type="button" disabled={renew.isPending} onClick={onAgain}>
              Create another link
            </button>
          )}
          <button type="button" className="primary" disabled={renew.isPending} onClick={onClose}>
            Done
          </button>
        </div>
      </div>
    </Dialog>
  );
}

/** QR code, black on white in all themes for cameras. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 2 });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label="QR code of the link">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
