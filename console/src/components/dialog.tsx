import { Title } from '@radix-ui/react-dialog';
import type { ReactNode } from 'react';
import { Modal } from './modal.js';

interface DialogProps {
  title: string;
  /** True if only a button inside closes the dialog: during a request, or while a secret is shown. */
  locked?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** Dialog with a heading. A click outside does not close it, because a form may be partly filled in. */
export function Dialog({ title, locked = false, onClose, children }: DialogProps) {
  return (
    <Modal className="dialog" locked={locked} onClose={onClose}>
      <Title>{title}</Title>
      {children}
    </Modal>
  );
}
