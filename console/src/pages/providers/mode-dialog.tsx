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
    title: (name: string) => `Let ${name} report changes?`,
    points: [
      'This service registers its address at the vendor, who must be able to reach it over https.',
      'Polling goes on until the registration is active, so nothing is missed.',
      'From then on data arrive within minutes of a change, with fewer requests.',
    ],
  },
  pull: {
    title: (name: string) => `Poll ${name}?`,
    points: [
      'The registration at the vendor is taken off; notifications end.',
      'Each connection is asked on a schedule: data arrive later, and use more of the quota.',
      'Nothing that is stored changes.',
    ],
  },
} as const;

/** Says what a switch between polling and webhooks does, before it is done. */
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
