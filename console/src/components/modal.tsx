import { Content, Portal, Root } from '@radix-ui/react-dialog';
import { type ReactNode, useCallback, useState } from 'react';

interface ModalProps {
  className: string;
  /** Accessible name if the modal has no heading. */
  label?: string;
  /** True if only a button inside closes the modal. */
  locked?: boolean;
  /** True if a click outside closes the modal. */
  closesOnClickOutside?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** Focused element at the time each dialog opened. */
const openers = new WeakMap<Element, Element | null>();

/**
 * Modal layer. Traps the focus, hides the page from screen readers, closes on Escape unless locked, and restores the
 * focus. Modals can be stacked.
 */
export function Modal(props: ModalProps) {
  const { className, label, locked = false, closesOnClickOutside = false, onClose, children } = props;
  const [opener] = useState(openerNow);
  const remember = useCallback(
    (content: Element | null) => {
      if (content) openers.set(content, opener);
    },
    [opener],
  );
  return (
    <Root
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Portal>
        {/*
         * Replaces the library's overlay, which locks scrolling with a style element that the content security policy
         * forbids.
         */}
        <div className="overlay">
          <Content
            ref={remember}
            className={className}
            aria-label={label}
            onEscapeKeyDown={(event) => {
              if (locked) event.preventDefault();
            }}
            onPointerDownOutside={(event) => {
              if (locked || !closesOnClickOutside) event.preventDefault();
            }}
            onCloseAutoFocus={(event) => {
              event.preventDefault();
              focusOpener(opener);
            }}
          >
            {children}
          </Content>
        </div>
      </Portal>
    </Root>
  );
}

/** Returns the focused element, or the dialog's opener if a disabled button lost the focus. */
function openerNow(): Element | null {
  const focused = document.activeElement;
  if (focused && focused !== document.body) return focused;
  const dialog = [...document.querySelectorAll('[role="dialog"]')].at(-1);
  return (dialog && openers.get(dialog)) ?? null;
}

/** Focuses the dialog's opener. If the opener was in a replaced dialog, focuses that dialog's opener. */
function focusOpener(opener: Element | null): void {
  let target: Element | null | undefined = opener;
  while (target && !target.isConnected) {
    const dialog: Element | null = target.closest('[role="dialog"]');
    target = dialog && openers.get(dialog);
  }
  if (target instanceof HTMLElement) target.focus();
}
