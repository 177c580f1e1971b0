import { PROVIDER_NAMES, type ProviderId } from '@healthd/model';
import { useState } from 'react';
import { loadDialog } from '../../../components/load-dialog.js';

// The dialog is loaded when it is opened.
const LinkDialog = loadDialog(async () => (await import('../links/link-dialog.js')).LinkDialog);

/** Makes a link with which the person connects: the given provider, or any that can be connected. */
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
