import type { Browser, BrowserContext, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { startChromium } from '../support/chromium.js';
import type { Daemon } from '../support/daemon.js';
import { type ConsoleOptions, type ConsolePage, loggedIn, logIn, newProfile, openConsole } from './console-page.js';

/** A service and a Chromium for the tests of one `describe`. */
export interface ConsoleTests {
  readonly daemon: Daemon;
  /** Opens a URL of the console in a window with its own cookies, logged in. */
  open(path: string, options?: ConsoleOptions): Promise<Page>;
  /** Opens a URL in a window with its own cookies, without a login. */
  openAddress(address: string, options?: ConsoleOptions): Promise<Page>;
  /** Returns and clears the browser's errors so far, for a test that expects them. */
  takeFaults(): string[];
}

/**
 * Runs the tests of this `describe` with a service and a Chromium. Fails a test if the browser reported errors. Skips
 * the tests if there is no Chromium.
 * @param start starts the service and returns its URL and credentials
 * @param stop ends everything else that `start` started
 */
export function consoleTests(start: () => Promise<Daemon>, stop?: () => Promise<void>): ConsoleTests {
  let browser: Browser | undefined;
  let missing = '';
  let daemon: Daemon | undefined;
  let opened: ConsolePage[] = [];
  /** Profile of each test's first window. Its cache saves most of the time that a new profile needs for a page. */
  let cached: BrowserContext | undefined;

  beforeAll(async () => {
    const started = await startChromium();
    if (!started.browser) {
      missing = started.reason;
      return;
    }
    browser = started.browser;
    cached = await newProfile(browser);
    daemon = await start();
  });
  afterAll(async () => {
    await browser?.close();
    await daemon?.stop();
    await stop?.();
  });
  beforeEach(({ skip }) => skip(browser === undefined, missing));
  afterEach(async () => {
    const faults = opened.flatMap((each) => each.faults);
    await Promise.all(opened.map(({ page }) => close(page, cached)));
    opened = [];
    await cached?.clearCookies();
    await cached?.setOffline(false);
    expect(faults).toEqual([]);
  });

  const running = () => {
    if (!browser || !daemon || !cached) throw new Error('the service is not started');
    return { browser, daemon, cached };
  };
  async function openAddress(address: string, options?: ConsoleOptions): Promise<Page> {
    const { browser, cached } = running();
    const profile = opened.length === 0 && !options?.isNew ? cached : await newProfile(browser);
    const console = await openConsole(profile, address, options);
    opened.push(console);
    return console.page;
  }
  return {
    get daemon() {
      return running().daemon;
    },
    async open(path, options) {
      const page = await openAddress(`${running().daemon.url}${path}`, options);
      await logIn(page, running().daemon);
      await loggedIn(page);
      return page;
    },
    openAddress,
    takeFaults: () => opened.flatMap(({ faults }) => faults.splice(0)),
  };
}

/**
 * Closes a page's profile. If the profile is `kept`, closes only its windows. Ignores errors of the test's pending
 * routes.
 */
async function close(page: Page, kept: BrowserContext | undefined): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  const profile = page.context();
  if (profile !== kept) return profile.close();
  for (const window of profile.pages()) await window.close();
}
