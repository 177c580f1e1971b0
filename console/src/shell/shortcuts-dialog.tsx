import { Dialog } from '../components/dialog.js';

const KEYS = [
  ['Ctrl K', 'Go to a user, a page or an action'],
  ['/', 'Search this page, or find a user'],
  ['g h', 'Home'],
  ['g u', 'Users'],
  ['g n', 'Connections'],
  ['g r', 'Runs'],
  ['g c', 'Coverage'],
  ['g p', 'Providers'],
  ['Esc', 'Close the dialog'],
  ['?', 'Show this list'],
] as const;

/** Keyboard shortcuts. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard" onClose={onClose}>
      <dl className="keys">
        {KEYS.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <div className="row end">
        <button type="button" className="primary" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
