import { useLayoutEffect, useRef } from 'react';
import { useNavigate } from 'react-router';

/** Pages by the letter after `g`. */
const GOES_TO = { h: '/', u: '/users', n: '/connections', r: '/runs', c: '/coverage', p: '/providers' } as const;

/** Time limit for the second letter. */
const PAUSE_MS = 1_500;

/**
 * Ctrl-K opens the palette, `/` focuses the search, `g` and a letter open a page, `?` lists the shortcuts. Dialogs
 * disable all shortcuts; fields disable all but Ctrl-K.
 */
export function useShortcuts(showHelp: () => void, showPalette: () => void): void {
  const navigate = useNavigate();
  // Navigation changes `navigate`, but must not reset pending keys.
  const act = useRef({ navigate, showHelp, showPalette });
  act.current = { navigate, showHelp, showPalette };
  // Listens before the first paint.
  useLayoutEffect(() => {
    let stopKeeping = () => {};
    let startedAt = Number.NEGATIVE_INFINITY;
    const press = (event: KeyboardEvent) => {
      if (isDialogOpen()) return;
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        act.current.showPalette();
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const isSecond = performance.now() - startedAt < PAUSE_MS;
      startedAt = event.key === 'g' && !isSecond ? performance.now() : Number.NEGATIVE_INFINITY;
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
        stopKeeping = reserveSearchKeys(() => void act.current.navigate('/users'));
      }
    };
    addEventListener('keydown', press);
    return () => {
      removeEventListener('keydown', press);
      stopKeeping();
    };
  }, []);
}

/** Maximum wait until a page has its search field. */
const SEARCH_WITHIN_MS = 10_000;

function searchOfPage(): HTMLInputElement | null {
  return document.querySelector<HTMLInputElement>('main input[type="search"]');
}

/** True while the page is loading and its search is unknown. */
function isPageLoading(): boolean {
  return document.querySelector('main h1') === null && document.querySelector('main .loading') !== null;
}

/**
 * Buffers typed text until the page has a search, then enters it. Otherwise the keys between `/` and the search would
 * be lost or act as shortcuts. Returns a function that stops the buffering.
 * @param goToSearch opens a page with a search, if the loaded page has none
 */
function reserveSearchKeys(goToSearch: () => void): () => void {
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
    // React only detects values set through the element's native setter.
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

/** True if a dialog is open, independent of the focus. */
function isDialogOpen(): boolean {
  return document.querySelector('[role="dialog"]') !== null;
}
