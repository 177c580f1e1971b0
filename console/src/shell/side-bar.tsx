import { BookOpen, LogOut } from 'lucide-react';
import { Link, NavLink } from 'react-router';
import { session } from '../session.js';
import { PAGE_GROUPS } from './pages.js';
import { ThemeChoice } from './theme-choice.js';

export function Brand() {
  return (
    <Link className="brand" to="/">
      <img src="/healthd.svg" alt="" width="24" height="24" />
      healthd
    </Link>
  );
}

/** Navigation, theme choice and logout. */
export function SideBar({ onChosen }: { onChosen?: () => void }) {
  return (
    <>
      <nav className="menu" aria-label="Main">
        {PAGE_GROUPS.map((pages) => (
          <div key={pages[0][0]} className="menu-group">
            {pages.map(([path, name, Icon]) => (
              <NavLink key={path} to={path} end={path === '/'} onClick={onChosen}>
                <Icon className="icon" aria-hidden="true" />
                {name}
              </NavLink>
            ))}
          </div>
        ))}
        <a href="/docs">
          <BookOpen className="icon" aria-hidden="true" />
          API
        </a>
      </nav>
      <div className="side-foot">
        <ThemeChoice />
        <button type="button" className="quiet" onClick={() => void session.logOut()}>
          <LogOut className="icon" aria-hidden="true" />
          Log out
        </button>
      </div>
    </>
  );
}
