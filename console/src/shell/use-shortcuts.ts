import { useEffect } from 'react';
import { useNavigate } from 'react-router';

/** After `g`: where each letter goes. */
const GOES_TO = { h: '/', u: '/users', n: '/connections', r: '/runs', c: '/coverage', p: '/providers' } as const;

/** The second letter has to follow within this time. */
const PAUSE_MS = 1_500;

/**
 * Ctrl-K opens the palette, `/` goes to the search of the page, `g` and a letter to a page, `?` to the list of these. None
 * of them while a dialog is open; while a field has the focus only Ctrl-K.
 */
export function useShortcuts(showHelp: () => void, showPalette: () => void): void {
  const navigate = useNavigate();
  useEffect(() => {
    let begunAt = Number.NEGATIVE_INFINITY;
    const press = (event: KeyboardEvent) => {
      if (isDialogOpen()) return;
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        showPalette();
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const isSecond = performance.now() - begunAt < PAUSE_MS;
      begunAt = event.key === 'g' && !isSecond ? performance.now() : Number.NEGATIVE_INFINITY;
      const goal = isSecond ? GOES_TO[event.key as keyof typeof GOES_TO] : undefined;
      if (goal) void navigate(goal);
      else if (event.key === '?') showHelp();
      else if (event.key === '/') {
        // On a page without a search the one of the users.
        event.preventDefault();
        const search = document.querySelector<HTMLInputElement>('main input[type="search"]');
        if (search) search.focus();
        else void navigate('/users');
      }
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [navigate, showHelp, showPalette]);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select');
}

/** Wherever the focus is: a click beside a dialog takes it out. */
function isDialogOpen(): boolean {
  return document.querySelector('[role="dialog"]') !== null;
}
