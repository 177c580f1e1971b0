import { createServer, type Server } from 'node:http';
import { createConnectLink, createUser, listConnections } from '@healthd/contract';
import { type GoogleSimulator, startGoogleSimulator } from '@healthd/simulators';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startChromium } from '../support/chromium.js';
import { type Daemon, startDaemon } from '../support/daemon.js';
import { freePort } from '../support/free-port.js';
import { AMPLE_QUOTA, ampleVendorSettings } from '../support/simulated-vendor.js';
import { complaints } from './accessibility.js';
import { overflow } from './console-page.js';

describe('the connect page', () => {
  let browser: Browser | undefined;
  let missing = '';
  let vendor: GoogleSimulator;
  let loginHost: Server;
  let daemon: Daemon;

  beforeAll(async () => {
    const started = await startChromium();
    if (!started.browser) {
      missing = started.reason;
      return;
    }
    browser = started.browser;
    vendor = await startGoogleSimulator({ quota: AMPLE_QUOTA });
    await vendor.control.addAccount({ id: 'ada' });
    // Vendors redirect from the authorize URL to a login host of another origin, as WHOOP does.
    loginHost = createServer((request, response) => {
      const { search } = new URL(request.url ?? '', 'http://localhost');
      response.writeHead(302, { location: `${vendor.urls.authorize}${search}` }).end();
    });
    const loginPort = await freePort();
    await new Promise<void>((resolve) => loginHost.listen(loginPort, '127.0.0.1', resolve));
    daemon = await startDaemon({
      env: {
        ...ampleVendorSettings(vendor),
        CLOUDHEALTH_AUTHORIZE_URL: `http://localhost:${loginPort}/authorize`,
        // The vendor redirects to this port, so it must be known before the service starts.
        PORT: String(await freePort()),
      },
    });
  });
  afterAll(async () => {
    await browser?.close();
    await daemon?.stop();
    loginHost?.close();
    await vendor?.close();
  });
  beforeEach(({ skip }) => skip(browser === undefined, missing));

  test('connects through a link on a small phone, despite vendor redirects', async () => {
    const user = await daemon.client.call(createUser, { body: { first_name: 'Ada' } });
    const link = await daemon.client.call(createConnectLink, { params: { user_id: user.id }, body: {} });
    const context = await (browser as Browser).newContext({ viewport: { width: 320, height: 640 } });
    context.setDefaultTimeout(120_000);
    const page = await context.newPage();
    const violations: string[] = [];
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) violations.push(message.text());
    });
    await page.goto(link.url);
    expect(await overflow(page)).toBe(0);
    expect(await complaints(page)).toEqual([]);
    await page.getByRole('button', { name: 'Connect: Google Health' }).click();
    await page.getByLabel('Account').selectOption('ada');
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByText('Google Health is connected').waitFor();
    expect(await overflow(page)).toBe(0);
    expect(await complaints(page)).toEqual([]);
    expect(violations).toEqual([]);
    await context.close();
    const connections = await daemon.client.call(listConnections, { params: { user_id: user.id } });
    expect(connections).toMatchObject([{ provider: 'google', status: 'active' }]);
  });
});
