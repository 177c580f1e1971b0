import { PROVIDER_NAMES, type ProviderId } from '@healthd/model';
import { useState } from 'react';
import { loadDialog } from '../../../components/load-dialog.js';

// Loads the dialog on first use.
const LinkDialog = loadDialog(async () => (await import('../links/link-dialog.js')).LinkDialog);

/** Opens the connect link dialog for one provider, or for all providers. */
export function SendLink({ userId, provider }: { userId: string; provider?: ProviderId | undefined }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="primary"
        aria-label={provider && `Send link for ${PROVIDER_NAMES[provider]}`}
        onClick={() => setOpen(true)}
      >
        Send link
      </button>
      {isOpen && <LinkDialog userId={userId} provider={provider} onClose={() => setOpen(false)} />}
    </>
  );
}
