import { Monitor, Moon, Sun } from 'lucide-react';
import { useState } from 'react';
import { chooseTheme, storedTheme, THEMES, type Theme } from './theme.js';

const LOOKS = { system: ['System', Monitor], light: ['Light', Sun], dark: ['Dark', Moon] } as const;

/** Selects the light, dark or system theme. */
export function ThemeChoice() {
  const [chosen, setChosen] = useState(storedTheme);
  const choose = (theme: Theme) => {
    chooseTheme(theme);
    setChosen(theme);
  };
  return (
    <fieldset className="themes" aria-label="Colours">
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
