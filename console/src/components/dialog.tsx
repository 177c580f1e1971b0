import { Title } from '@radix-ui/react-dialog';
import type { ReactNode } from 'react';
import { Modal } from './modal.js';

interface DialogProps {
  title: string;
  /** Only a button inside closes it: while a request is under way whose answer would be lost, or a secret is shown. */
  locked?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog with a heading. A click beside it does not close it, for it may be half filled in. */
export function Dialog({ title, locked = false, onClose, children }: DialogProps) {
  return (
    <Modal className="dialog" locked={locked} onClose={onClose}>
      <Title>{title}</Title>
      {children}
    </Modal>
  );
}
