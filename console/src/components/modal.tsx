import { Content, Portal, Root } from '@radix-ui/react-dialog';
import { type ReactNode, useCallback, useState } from 'react';

interface ModalProps {
  className: string;
  /** What it is, where no heading says so. */
  label?: string;
  /** Only a button inside closes it. */
  locked?: boolean;
  /** A click beside it closes it too. */
  closesOnClickOutside?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** For each dialog what had the focus when it opened. */
const openers = new WeakMap<Element, Element | null>();

/**
 * What lies over the page until it is closed: it keeps the focus inside, hides the rest from screen readers, closes on Escape
 * unless it is locked, and gives the focus back. Several lie above each other.
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
        {/* Not the library's own overlay, which locks the page by a style element that the policy forbids. */}
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

/** What has the focus; where it was lost by a button of a dialog that waited for its answer, what opened that dialog. */
function openerNow(): Element | null {
  const focused = document.activeElement;
  if (focused && focused !== document.body) return focused;
  const dialog = [...document.querySelectorAll('[role="dialog"]')].at(-1);
  return (dialog && openers.get(dialog)) ?? null;
}

/** Focuses what opened a dialog; where that was in a dialog whose place this one took, what opened the other. */
function focusOpener(opener: Element | null): void {
  let target: Element | null | undefined = opener;
  while (target && !target.isConnected) {
    const dialog: Element | null = target.closest('[role="dialog"]');
    target = dialog && openers.get(dialog);
  }
  if (target instanceof HTMLElement) target.focus();
}
