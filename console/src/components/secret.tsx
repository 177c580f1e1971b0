import type { ReactNode } from 'react';
import { Command } from './command.js';

interface SecretProps {
  /** Description of the secret and its destination. */
  children: ReactNode;
  text: string;
  onClose: () => void;
}

/** Secret that the service shows once. */
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
