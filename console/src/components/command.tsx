import { useRef, useState } from 'react';

const SAID_MS = 1500;

/** A command line to copy: the screen teaches the tool. */
export function Command({ line }: { line: string }) {
  const [copied, setCopied] = useState(false);
  const code = useRef<HTMLElement>(null);
  const copy = async () => {
    if (!(await copyText(line, code.current))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), SAID_MS);
  };
  return (
    <div className="command">
      <code ref={code}>{line}</code>
      <button type="button" className="quiet" onClick={copy} aria-label={`Copy: ${line}`}>
        {copied ? 'Copied' : 'Copy'}
      </button>
      <span className="unseen" role="status">
        {copied ? 'Copied' : ''}
      </span>
    </div>
  );
}

/** A page that came over plain http from another host has no clipboard: there the line is selected, ready for Ctrl-C. */
async function copyText(text: string, element: HTMLElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    if (element) getSelection()?.selectAllChildren(element);
    return false;
  }
}
