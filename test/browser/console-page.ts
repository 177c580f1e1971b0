import type { Browser, BrowserContext, ConsoleMessage, Page } from 'playwright';
import type { Daemon } from '../support/daemon.js';

/** The console in a separate browser window, with all browser errors. */
export interface ConsolePage {
  page: Page;
  /** Errors of scripts, of the console and of the content security policy, as text. */
  faults: string[];
}

export interface ConsoleOptions {
  width?: number;
  colorScheme?: 'light' | 'dark';
  /** True to open a new profile with an empty cache. By default, a test's first window reuses a cached profile. */
  isNew?: boolean;
}

/** Creates a browser profile with its own cookies and cache. */
export async function newProfile(browser: Browser): Promise<BrowserContext> {
  const profile = await browser.newContext({ timezoneId: 'Asia/Tokyo' });
  // Equals the poll timeout in vitest.config.ts.
  profile.setDefaultTimeout(120_000);
  return profile;
}

/** Opens a URL of the console in a new window, which shows the login if the profile has no session. */
export async function openConsole(
  profile: BrowserContext,
  address: string,
  { width = 1280, colorScheme = 'light' }: ConsoleOptions = {},
): Promise<ConsolePage> {
  const page = await profile.newPage();
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme });
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`script: ${error.message}`));
  page.on('console', (message) => {
    const fault = faultOf(message);
    if (fault) faults.push(fault);
  });
  await page.addInitScript(
    `addEventListener('securitypolicyviolation', (event) => console.error('policy: ' + event.violatedDirective))`,
  );
  await page.goto(address);
  return { page, faults };
}

/** Returns the text of a console error or warning. Undefined for other messages and for error responses. */
function faultOf(message: ConsoleMessage): string | undefined {
  if (!['error', 'warning'].includes(message.type())) return undefined;
  return message.text().startsWith('Failed to load resource') ? undefined : `${message.type()}: ${message.text()}`;
}

export async function logIn(page: Page, { email, password }: Pick<Daemon, 'email' | 'password'>): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

/** Waits until the page has replaced the login. */
export async function loggedIn(page: Page): Promise<void> {
  await page.locator('#page').waitFor();
}

/** Returns the cell texts of each row of the table with this name. Waits for the first row. */
export async function rowsOf(page: Page, table: string): Promise<string[][]> {
  const rows = page.getByRole('region', { name: table, exact: true }).locator('tbody tr');
  await rows.first().waitFor();
  return rows.evaluateAll((found) =>
    found.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent?.trim() ?? '')),
  );
}

/** Returns the number of pixels by which the page is wider than its window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
}
