import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Brand, SideBar } from './side-bar.js';

/** The side bar of a narrow screen, over the page: the browser keeps the focus inside and closes it on Escape. */
export function Drawer({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    return () => opened?.close();
  }, []);
  return (
    <dialog ref={dialog} className="drawer" aria-label="Menu" onClose={onClose} closedby="any">
      <div className="side">
        <div className="drawer-head">
          <Brand />
          <button type="button" className="quiet" onClick={onClose} aria-label="Close the menu">
            <X className="icon" aria-hidden="true" />
          </button>
        </div>
        <SideBar onChosen={onClose} />
      </div>
    </dialog>
  );
}
