import { X } from 'lucide-react';
import { Modal } from '../components/modal.js';
import { Brand, SideBar } from './side-bar.js';

/** Sidebar overlay of narrow screens. */
export function Drawer({ onClose }: { onClose: () => void }) {
  return (
    <Modal className="drawer" label="Menu" closesOnClickOutside onClose={onClose}>
      <div className="side">
        <div className="drawer-head">
          <Brand />
          <button type="button" className="quiet" onClick={onClose} aria-label="Close the menu">
            <X className="icon" aria-hidden="true" />
          </button>
        </div>
        <SideBar onChosen={onClose} />
      </div>
    </Modal>
  );
}
