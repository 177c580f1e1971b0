import { BookOpen, LogOut, Monitor, Moon, Sun } from 'lucide-react';
import { useState } from 'react';
import { Link, NavLink } from 'react-router';
import { session } from '../session.js';
import { PAGE_GROUPS } from './pages.js';
import { chooseTheme, storedTheme, THEMES, type Theme } from './theme.js';

const LOOKS = { system: ['System', Monitor], light: ['Light', Sun], dark: ['Dark', Moon] } as const;

/** Selects the light, dark or system theme. */
function ThemeChoice() {
  const [chosen, setChosen] = useState(storedTheme);
  const choose = (theme: Theme) => {
    chooseTheme(theme);
    setChosen(theme);
  };
  return (
    <fieldset className="themes" aria-label="Theme">
      {THEMES.map((theme) => {
        const [name, Icon] = LOOKS[theme];
        return (
          <button
            key={theme}
            type="button"
            aria-pressed={theme === chosen}
            aria-label={name}
            title={name}
            onClick={() => choose(theme)}
          >
            <Icon className="icon" aria-hidden="true" />
          </button>
        );
      })}
    </fieldset>
  );
}

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
