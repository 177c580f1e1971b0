import type { Browser, BrowserContext, CDPSession, Page } from 'playwright';
import type { DaemonProcess } from '../daemon-process.js';

/** Login of the benchmark's developer. */
export const DEVELOPER = { email: 'bench@example.com', password: 'correct horse battery' };

const DEADLINE_MS = 60_000;
/** Throttled network: bits per second in each direction, and the round-trip time. */
export const LINE = { bitsPerSecond: 1_600_000, roundTripMs: 150 };

/** True once the page shows its content: no part is loading, and its specific text is visible. Runs in the browser. */
const isUsable = (text: string) => `(() => {
  const page = document.querySelector('#page');
  if (!page || page.querySelector('.loading, [aria-busy="true"]')) return false;
  return page.textContent.includes(${JSON.stringify(text)});
})()`;

/** Waits frame by frame until the page is usable. Runs in the browser. Returns the milliseconds since `from`. */
const untilUsable = (text: string, from: string) => `new Promise((resolve, reject) => {
  const startMs = ${from};
  const look = () => {
    if (${isUsable(text)}) return resolve(performance.now() - startMs);
    if (performance.now() - startMs > ${DEADLINE_MS}) return reject(new Error('not usable: ' + ${JSON.stringify(text)}));
    requestAnimationFrame(look);
  };
  look();
})`;

/** Opens a separate window that is logged in. Its cache contains only the responses of the login. */
export async function logIn(
  browser: Browser,
  { url }: DaemonProcess,
): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(url);
  await page.getByLabel('Email').fill(DEVELOPER.email);
  await page.getByLabel('Password').fill(DEVELOPER.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.locator('#page').waitFor();
  return { context, page };
}

/** Navigates within the console. Returns the milliseconds until the page at `path` is usable. */
export function step(page: Page, path: string, text: string): Promise<number> {
  return page.evaluate<number>(
    `(() => {
      const from = performance.now();
      history.pushState(null, '', ${JSON.stringify(path)});
      dispatchEvent(new PopStateEvent('popstate'));
      return ${untilUsable(text, 'from')};
    })()`,
  );
}

/** Timing of a page that was opened by URL. */
export interface Opened {
  /** Milliseconds from the start of the navigation until the page is usable. */
  ms: number;
  /** Bytes received until the page is usable. */
  bytes: number;
}

/** Opens a URL as a new document. */
export async function open(page: Page, session: CDPSession, address: string, text: string): Promise<Opened> {
  let bytes = 0;
  const count = ({ encodedDataLength }: { encodedDataLength: number }) => {
    bytes += encodedDataLength;
  };
  session.on('Network.loadingFinished', count);
  await page.goto(address, { waitUntil: 'commit' });
  const ms = await page.evaluate<number>(untilUsable(text, '0'));
  session.off('Network.loadingFinished', count);
  return { ms, bytes };
}

/**
 * Opens a session that counts the bytes that a window receives. @param isThrottled true to limit the window's network
 * to {@link LINE}
 */
export async function networkOf(context: BrowserContext, page: Page, isThrottled: boolean): Promise<CDPSession> {
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  if (isThrottled) {
    const throughput = LINE.bitsPerSecond / 8;
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: LINE.roundTripMs,
      downloadThroughput: throughput,
      uploadThroughput: throughput,
    });
  }
  return session;
}

/** Repeats all requests of a page in parallel and returns the milliseconds until all responses arrived. */
export async function repeatRequests(page: Page, visit: () => Promise<unknown>): Promise<number> {
  const requests: { url: string; authorization: string | undefined }[] = [];
  const note = (request: { url(): string; method(): string; headers(): Record<string, string> }) => {
    if (request.method() === 'GET' && request.url().includes('/api/v1/')) {
      requests.push({ url: request.url(), authorization: request.headers().authorization });
    }
  };
  page.on('request', note);
  await visit();
  page.off('request', note);
  return page.evaluate<number>(
    `(async () => {
      const from = performance.now();
      await Promise.all(${JSON.stringify(requests)}.map(async ({ url, authorization }) =>
        (await fetch(url, { headers: { Authorization: authorization }, cache: 'no-store' })).text()));
      return performance.now() - from;
    })()`,
  );
}
