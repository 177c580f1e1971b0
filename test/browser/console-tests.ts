import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { startChromium } from '../support/chromium.js';
import type { Daemon } from '../support/daemon.js';
import { type ConsoleOptions, type ConsolePage, loggedIn, logIn, openConsole } from './console-page.js';

/** A service and a Chromium for the tests of one `describe`. */
export interface ConsoleTests {
  readonly daemon: Daemon;
  /** Opens a URL of the console in a separate window, logged in. */
  open(path: string, options?: ConsoleOptions): Promise<Page>;
  /** Opens a URL in a separate window without a login. */
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

  beforeAll(async () => {
    const started = await startChromium();
    if (!started.browser) {
      missing = started.reason;
      return;
    }
    browser = started.browser;
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
    await Promise.all(opened.map(({ page }) => close(page)));
    opened = [];
    expect(faults).toEqual([]);
  });

  const running = () => {
    if (!browser || !daemon) throw new Error('the service is not started');
    return { browser, daemon };
  };
  async function openIn(origin: string, path: string, options?: ConsoleOptions): Promise<Page> {
    const { browser, daemon } = running();
    const console = await openConsole(browser, { ...daemon, url: origin }, path, options);
    opened.push(console);
    return console.page;
  }
  return {
    get daemon() {
      return running().daemon;
    },
    async open(path, options) {
      const page = await openIn(running().daemon.url, path, options);
      await logIn(page, running().daemon);
      await loggedIn(page);
      return page;
    },
    openAddress: (address, options) => openIn('', address, options),
    takeFaults: () => opened.flatMap(({ faults }) => faults.splice(0)),
  };
}

/** Closes a page's window. Ignores the test's routes that still wait for a response. */
async function close(page: Page): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.context().close();
}
