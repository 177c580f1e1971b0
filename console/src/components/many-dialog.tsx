import type { ReactNode } from 'react';
import { Dialog } from './dialog.js';
import { Progress } from './progress.js';

interface ManyDialogProps {
  /** A question that says what begins, and how many of it. */
  title: string;
  /** What it would do; once it is done, what became of it. */
  children: ReactNode;
  /** What the button does. */
  action: string;
  /** What the bar counts. */
  counted: string;
  /** How far it is. */
  work: { isPending: boolean; data: unknown; count: number };
  total: number;
  onBegin: () => void;
  onClose: () => void;
}

/** Asks before requests about many things are sent one after the other, counts them, and stays open for their outcome. */
export function ManyDialog(props: ManyDialogProps) {
  const { title, children, action, counted, work, total, onBegin, onClose } = props;
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
              <button type="button" className="primary" disabled={work.isPending} onClick={onBegin}>
                {work.isPending ? 'Beginning…' : action}
              </button>
            </>
          )}
        </div>
      </div>
    </Dialog>
  );
}
