import type { LiveSyncMode } from '@healthd/contract';
import { Dialog } from '../../components/dialog.js';

interface ModeDialogProps {
  name: string;
  mode: LiveSyncMode;
  onSwitch: () => void;
  onClose: () => void;
}

const WORDS = {
  webhook: {
    title: (name: string) => `Enable webhooks from ${name}?`,
    points: [
      'This service registers its URL at the vendor. The vendor must be able to reach the URL over https.',
      'Polling continues until the registration is active, so no data is missed.',
      'After that, data arrives within minutes of a change and uses fewer requests.',
    ],
  },
  pull: {
    title: (name: string) => `Poll ${name}?`,
    points: [
      'This service deletes its registration at the vendor. Notifications stop.',
      'The service polls each connection on a schedule. Data arrives later and uses more of the quota.',
      'Stored data does not change.',
    ],
  },
} as const;

/** Explains the effect of a switch between polling and webhooks. */
export function ModeDialog({ name, mode, onSwitch, onClose }: ModeDialogProps) {
  const { title, points } = WORDS[mode];
  return (
    <Dialog title={title(name)} onClose={onClose}>
      <div className="new-link">
        <ul className="points">
          {points.map((point) => (
            <li key={point}>{point}</li>
          ))}
        </ul>
        <div className="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="button" className="primary" onClick={onSwitch}>
            Switch
          </button>
        </div>
      </div>
    </Dialog>
  );
}
