import { type RefObject, useState } from 'react';

const SAID_MS = 1500;

/**
 * Copies a text, and says for a moment that it did. A page that came over plain http from another host has no clipboard:
 * there the element with the text is selected, ready for Ctrl-C.
 */
export function useCopy(
  text: string,
  element: RefObject<HTMLElement | null>,
): { copied: boolean; copy(): Promise<void> } {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      if (element.current) getSelection()?.selectAllChildren(element.current);
      return;
    }
    setCopied(true);
    setTimeout(() => setCopied(false), SAID_MS);
  };
  return { copied, copy };
}
