import { Menu } from 'lucide-react';
import { type ReactNode, useCallback, useState } from 'react';
import { loadDialog } from '../components/load-dialog.js';
import { Drawer } from './drawer.js';
import { OfflineNotice } from './offline-notice.js';
import { Palette } from './palette.js';
import { SandboxBanner } from './sandbox-banner.js';
import { Brand, SideBar } from './side-bar.js';
import { StaleNotice } from './stale-notice.js';
import { useShortcuts } from './use-shortcuts.js';

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
      {/* Not loaded on demand: keys that are typed meanwhile would be lost. */}
      {open === 'palette' && <Palette onClose={close} />}
      {open === 'keys' && <ShortcutsDialog onClose={close} />}
    </div>
  );
}
