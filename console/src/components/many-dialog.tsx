import type { ReactNode } from 'react';
import { Dialog } from './dialog.js';
import { Progress } from './progress.js';

interface ManyDialogProps {
  /** Question that names the action and the count. */
  title: string;
  /** Preview of the action, then its outcome. */
  children: ReactNode;
  /** Label of the button. */
  action: string;
  /** Label of the progress bar. */
  counted: string;
  /** Current progress. */
  work: { isPending: boolean; data: unknown; count: number };
  total: number;
  onBegin: () => void;
  onClose: () => void;
}

/** Confirms a bulk action, shows progress, then shows the outcome. */
export function ManyDialog(props: ManyDialogProps) {
  const { title, children, action, counted, work, total, onBegin: onStart, onClose } = props;
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="new-link">
        {children}
        {work.isPending && <Progress value={work.count / total} name={counted} />}
        <div className="row end">
          {work.data ? (
            <button type="button" className="primary" onClick={onClose}>
              Done
            </button>
          ) : (
            <>
              <button type="button" onClick={onClose}>
                Cancel
              </button>
              <button type="button" className="primary" disabled={work.isPending} onClick={onStart}>
                {work.isPending ? 'Starting…' : action}
              </button>
            </>
          )}
        </div>
      </div>
    </Dialog>
  );
}
