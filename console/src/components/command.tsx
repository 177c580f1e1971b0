import { useState } from 'react';

/** A command line to copy: the screen teaches the tool. */
export function Command({ line }: { line: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(line);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <div className="command">
      <code>{line}</code>
      <button type="button" className="quiet" onClick={copy} aria-label={`Copy: ${line}`}>
        {copied ? 'Copied' : 'Copy'}
      </button>
    </div>
  );
}
