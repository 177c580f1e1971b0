import { type KeyboardEvent, type ReactNode, type SyntheticEvent, useEffect, useId, useRef } from 'react';

interface DialogProps {
  title: string;
  /** Only a button inside closes it: while a request is under way whose answer would be lost, or a secret is shown. */
  locked?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** A modal dialog: the browser keeps the focus inside, closes it on Escape unless it is locked, and gives the focus back. */
export function Dialog({ title, locked = false, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    return () => opened?.close();
  }, []);
  const onCancel = (event: SyntheticEvent) => {
    if (locked) event.preventDefault();
    else onClose();
  };
  // A browser may close on the second Escape whatever becomes of `cancel`, and not all know `closedby`.
  const onKeyDown = (event: KeyboardEvent) => {
    if (locked && event.key === 'Escape') event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      aria-labelledby={heading}
      closedby={locked ? 'none' : 'closerequest'}
      onCancel={onCancel}
      onKeyDown={onKeyDown}
    >
      <h2 id={heading}>{title}</h2>
      {children}
    </dialog>
  );
}
