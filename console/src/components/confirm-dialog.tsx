import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Dialog } from './dialog.js';
import { Problem } from './problem.js';

interface ConfirmDialogProps {
  /** Question that names the object. */
  title: string;
  /** Consequences of the action. */
  children: ReactNode;
  /** Label of the button. */
  action: string;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}

/** Asks for confirmation before an irreversible action. */
export function ConfirmDialog({ title, children, action, onConfirm, onClose }: ConfirmDialogProps) {
  const confirm = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  return (
    <Dialog title={title} locked={confirm.isPending} onClose={onClose}>
      <div className="new-link">
        <p>{children}</p>
        {confirm.error && <Problem error={confirm.error} />}
        <div className="row end">
          <button type="button" disabled={confirm.isPending} onClick={onClose}>
            Cancel
          </button>
          <button type="button" className="danger solid" disabled={confirm.isPending} onClick={() => confirm.mutate()}>
            {action}
          </button>
        </div>
      </div>
    </Dialog>
  );
}
