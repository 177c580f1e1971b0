import { type Query, useQueryClient } from '@tanstack/react-query';
import { FlaskConical, Menu, X } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { Link } from 'react-router';
import { loadDialog } from '../components/load-dialog.js';
import { Modal } from '../components/modal.js';
import { useConfig } from '../hooks/use-config.js';
import { unanswered } from '../no-response.js';
import { Palette } from './palette.js';
import { Brand, SideBar } from './side-bar.js';
import { useShortcuts } from './use-shortcuts.js';

const AGAIN_MS = 5_000;

/** Notice that the service does not respond and the page shows earlier data. Refetches while it is visible. */
function StaleNotice() {
  const queries = useQueryClient();
  const isStale = useSyncExternalStore(unanswered.subscribe, () => unanswered.isAnyShown());
  useEffect(() => {
    if (!isStale) return;
    // Refetches active queries only. Waits for slow responses instead of canceling them.
    const filter = { type: 'active', predicate: (query: Query) => unanswered.has(query) } as const;
    const readAgain = () => queries.refetchQueries(filter, { cancelRefetch: false });
    const timer = setInterval(() => void readAgain(), AGAIN_MS);
    return () => clearInterval(timer);
  }, [isStale, queries]);
  if (!isStale || !navigator.onLine) return null;
  return (
    <div className="offline" role="status">
      Some requests fail. The page shows earlier data and refreshes when the service responds.
    </div>
  );
}

const ShortcutsDialog = loadDialog(async () => (await import('./shortcuts-dialog.js')).ShortcutsDialog);

/** Page frame: a sidebar, or a bar with a menu on narrow screens. */
export function Shell({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState<'menu' | 'keys' | 'palette'>();
  const close = () => setOpen(undefined);
  useShortcuts(
    useCallback(() => setOpen('keys'), []),
    useCallback(() => setOpen('palette'), []),
  );
  return (
    <div className="shell">
      <a className="skip" href="#page">
        Skip to content
      </a>
      <div className="side">
        <Brand />
        <SideBar />
      </div>
      <header className="bar-top">
        <Brand />
        <button type="button" className="quiet" aria-haspopup="dialog" onClick={() => setOpen('menu')}>
          <Menu className="icon" aria-hidden="true" />
          Menu
        </button>
      </header>
      <main id="page" tabIndex={-1}>
        <OfflineNotice />
        <StaleNotice />
        {children}
      </main>
      <SandboxBanner />
      {open === 'menu' && <Drawer onClose={close} />}
      {/* The palette is not loaded on demand, because keys typed during the loading would be lost. */}
      {open === 'palette' && <Palette onClose={close} />}
      {open === 'keys' && <ShortcutsDialog onClose={close} />}
    </div>
  );
}

/** Sidebar overlay of narrow screens. */
function Drawer({ onClose }: { onClose: () => void }) {
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

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

/** Notice that the network is down and the page shows earlier data. */
function OfflineNotice() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  if (isOnline) return null;
  return (
    <div className="offline" role="status">
      You are offline. The page shows earlier data, and you cannot change anything until the network is back.
    </div>
  );
}

/** Banner on every page while vendors are simulated, so that no figure is mistaken for real data. */
function SandboxBanner() {
  const config = useConfig();
  if (!config.data?.sandbox) return null;
  return (
    <aside className="sandbox" aria-label="Sandbox">
      <FlaskConical className="icon" aria-hidden="true" />
      <span>
        <b>Sandbox:</b> vendors and their users are simulated. <Link to="/settings">Details</Link>
      </span>
    </aside>
  );
}
