import { type RefObject, useState } from 'react';

const SAID_MS = 1500;

/**
 * Copies a text and briefly reports success. Without clipboard access (plain http from another host), selects the
 * element so that Ctrl-C works.
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
