import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Dialog } from './dialog.js';
import { Problem } from './problem.js';

interface ConfirmDialogProps {
  /** A question that names what it is about. */
  title: string;
  /** What ends, and what it affects. */
  children: ReactNode;
  /** What the button does. */
  action: string;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}

/** Asks before something ends that cannot be brought back. */
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
