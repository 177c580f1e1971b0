import { useRef } from 'react';
import { useCopy } from '../hooks/use-copy.js';

/** Copyable command line. */
export function Command({ line }: { line: string }) {
  const code = useRef<HTMLElement>(null);
  const { copied, copy } = useCopy(line, code);
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
