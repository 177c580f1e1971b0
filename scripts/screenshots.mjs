// `npm run screenshots [-- words of a page's name]`: shoots every page of the console, wide and narrow, light and dark, into
// `.screenshots/`. Starts a service with the sandbox and made-up people for it, or takes the one of SCREENSHOTS_URL, whose
// account is ADMIN_EMAIL and ADMIN_PASSWORD.
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from './build.mjs';
import { main, root, runTool, say, ToolFailure } from './checkout.mjs';
import { findChromium } from './chromium.mjs';
import { startService } from './demo-service.mjs';
import { ensureInstalled } from './install.mjs';
import { addresses, developerAt, signIn } from './screenshot-pages.mjs';
import { makePeople } from './screenshot-people.mjs';

const OUT = join(root, '.screenshots');
const WIDTHS = [1440, 390];
const SCHEMES = ['light', 'dark'];
const DAYS = '90';

async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

/** A service of its own with a person who has a past and a connection. */
async function startMadeUp() {
  const folder = await mkdtemp(join(tmpdir(), 'healthd-screenshots-'));
  // Run as root, the service gives its database to an account that must be able to pass through this folder.
  await chmod(folder, 0o755);
  const url = `http://127.0.0.1:${await freePort()}`;
  Object.assign(process.env, {
    DATA_DIR: join(folder, 'data'),
    XDG_CONFIG_HOME: join(folder, 'config'),
    PORT: new URL(url).port,
    METRICS_PORT: '0',
    ADMIN_PASSWORD: 'correct horse battery',
  });
  const service = await startService(url, new AbortController().signal);
  const code = await runTool(process.execPath, [join(root, 'scripts/demo.mjs'), DAYS], { env: process.env });
  if (code !== 0) throw new ToolFailure('The demo failed.');
  return {
    url,
    async stop() {
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function shoot(url, wanted) {
  const { binary, reason } = await findChromium();
  if (binary === undefined) throw new ToolFailure(`No screenshots: ${reason}`);
  const { chromium } = createRequire(join(root, 'test/package.json'))('playwright-core');
  const browser = await chromium.launch({ executablePath: binary, args: ['--no-sandbox', '--disable-gpu'] });
  await mkdir(OUT, { recursive: true });
  let count = 0;
  try {
    for (const width of WIDTHS) {
      for (const colorScheme of SCHEMES) {
        const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
        const page = await context.newPage();
        const pages = await addresses(page, url);
        for (const [name, path] of pages) {
          if (wanted.length > 0 && !wanted.some((word) => name.includes(word))) continue;
          await page.goto(`${url}${path}`);
          if (
            await page
              .getByLabel('Password')
              .isVisible()
              .catch(() => false)
          )
            await signIn(page);
          await page.waitForLoadState('networkidle', { timeout: 10_000 }).catch(() => undefined);
          await page.screenshot({ path: join(OUT, `${name}-${width}-${colorScheme}.png`), fullPage: true });
          count++;
        }
        await context.close();
      }
    }
  } finally {
    await browser.close();
  }
  say(`${count} screenshots are in ${OUT}.`);
}

await main(async () => {
  await ensureInstalled();
  await build({ everything: false });
  const given = process.env.SCREENSHOTS_URL;
  const service = given ? { url: given, stop: async () => undefined } : await startMadeUp();
  try {
    await makePeople(await developerAt(service.url));
    await shoot(service.url, process.argv.slice(2));
  } finally {
    await service.stop();
  }
});
