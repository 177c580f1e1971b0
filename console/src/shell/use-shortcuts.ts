import { useLayoutEffect, useRef } from 'react';
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
  // A change of page renews `navigate`, and must not end what the keys before it began.
  const act = useRef({ navigate, showHelp, showPalette });
  act.current = { navigate, showHelp, showPalette };
  // Listens before the browser shows the page.
  useLayoutEffect(() => {
    let stopKeeping = () => {};
    let begunAt = Number.NEGATIVE_INFINITY;
    const press = (event: KeyboardEvent) => {
      if (isDialogOpen()) return;
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        act.current.showPalette();
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const isSecond = performance.now() - begunAt < PAUSE_MS;
      begunAt = event.key === 'g' && !isSecond ? performance.now() : Number.NEGATIVE_INFINITY;
      const goal = isSecond ? GOES_TO[event.key as keyof typeof GOES_TO] : undefined;
      if (goal) void act.current.navigate(goal);
      else if (event.key === '?') act.current.showHelp();
      else if (event.key === '/') {
        event.preventDefault();
        const search = searchOfPage();
        if (search) {
          search.focus();
          return;
        }
        stopKeeping();
        stopKeeping = keepKeysForSearch(() => void act.current.navigate('/users'));
      }
    };
    addEventListener('keydown', press);
    return () => {
      removeEventListener('keydown', press);
      stopKeeping();
    };
  }, []);
}

/** Longest wait for a page whose search was asked for. */
const SEARCH_WITHIN_MS = 10_000;

function searchOfPage(): HTMLInputElement | null {
  return document.querySelector<HTMLInputElement>('main input[type="search"]');
}

/** True while only the place of the page is there, so that nobody knows whether it has a search. */
function isPageLoading(): boolean {
  return document.querySelector('main h1') === null && document.querySelector('main .loading') !== null;
}

/**
 * Keeps what is typed until the page has a search, then types it there. Without this the keys between `/` and the search
 * would be lost, or act as shortcuts. Returns a function that stops.
 * @param goToSearch opens a page with a search; called if the page, once loaded, has none
 */
function keepKeysForSearch(goToSearch: () => void): () => void {
  let typed = '';
  let isOnTheWay = false;
  const keep = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isDialogOpen()) return;
    if (event.key === 'Escape') return stop();
    if (event.key === 'Backspace') typed = typed.slice(0, -1);
    else if (event.key.length === 1) typed += event.key;
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const hand = () => {
    const search = searchOfPage();
    if (!search) {
      if (isOnTheWay || isPageLoading()) return;
      isOnTheWay = true;
      goToSearch();
      return;
    }
    stop();
    search.focus();
    if (typed === '') return;
    // React follows the value only if the element's own setter sets it.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(search, search.value + typed);
    search.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const watcher = new MutationObserver(hand);
  const timer = setTimeout(() => stop(), SEARCH_WITHIN_MS);
  const stop = () => {
    watcher.disconnect();
    clearTimeout(timer);
    removeEventListener('keydown', keep, true);
  };
  addEventListener('keydown', keep, true);
  watcher.observe(document.body, { childList: true, subtree: true });
  hand();
  return stop;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select');
}

/** Wherever the focus is: a click beside a dialog takes it out. */
function isDialogOpen(): boolean {
  return document.querySelector('[role="dialog"]') !== null;
}
