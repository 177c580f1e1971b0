import type { ReactNode } from 'react';
import { Command } from './command.js';

interface SecretProps {
  /** What it is and where it belongs. */
  children: ReactNode;
  text: string;
  onClose: () => void;
}

/** A secret that the service shows once: to be copied now. */
export function Secret({ children, text, onClose }: SecretProps) {
  return (
    <div className="new-link" role="status">
      <p>{children}</p>
      <Command line={text} />
      <div className="row end">
        <button type="button" className="primary" onClick={onClose}>
          Done
        </button>
      </div>
    </div>
  );
}
