// `npm run screenshots [-- [--two] words of a page's name]`: captures every page of the console and its states, wide
// and narrow, light and dark, into `.screenshots/`. With --two, captures each width in one color scheme only. Starts a
// service with the sandbox and generated users, or uses SCREENSHOTS_URL with the account ADMIN_EMAIL and
// ADMIN_PASSWORD.
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
import { developerAt, findSubjects, pagesOf, signIn } from './screenshot-pages.mjs';
import { createUsers } from './screenshot-users.mjs';
import { connectPages, receiptPage, statesOf } from './screenshot-states.mjs';

const OUT = join(root, '.screenshots');
const HEIGHT = 900;
const LOOKS = [
  [1440, 'light'],
  [1440, 'dark'],
  [390, 'light'],
  [390, 'dark'],
  [320, 'light'],
];
/** One color scheme per width, for a quick run. */
const TWO = { 1440: 'light', 390: 'dark', 320: 'light' };
const DAYS = '90';
/** Exit code after Ctrl-C. */
const INTERRUPTED = 130;

async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

/** Starts a separate service with a user who has history and a connection. */
async function startSimulated() {
  const folder = await mkdtemp(join(tmpdir(), 'healthd-screenshots-'));
  // As root, the service runs its database under another account, which must be able to enter this folder.
  await chmod(folder, 0o755);
  // Uses the service's own URL. A consent returns to this URL and needs the cookie of the page where it started.
  const url = `http://localhost:${await freePort()}`;
  Object.assign(process.env, {
    DATA_DIR: join(folder, 'data'),
    XDG_CONFIG_HOME: join(folder, 'config'),
    PORT: new URL(url).port,
    METRICS_PORT: '0',
    ADMIN_PASSWORD: 'correct horse battery',
  });
  const interrupted = new AbortController();
  // Handles signals here, because Ctrl-C does not reach the service's separate process group.
  for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => interrupted.abort());
  const service = await startService(url, interrupted.signal);
  let stopping;
  const stop = () => {
    stopping ??= service.stop().then(() => rm(folder, { recursive: true, force: true }));
    return stopping;
  };
  interrupted.signal.addEventListener('abort', () => void stop().then(() => process.exit(INTERRUPTED)));
  return {
    url,
    async fill() {
      const code = await runTool(process.execPath, [join(root, 'scripts/demo.mjs'), DAYS], { env: process.env });
      if (code !== 0) throw new ToolFailure('The demo failed.');
    },
    stop,
  };
}

/** Captures pages and states in the requested looks: all, or only those whose name contains a requested word. */
async function takeScreenshots(url, shots, wanted, looks) {
  const { binary, reason } = await findChromium();
  if (binary === undefined) throw new ToolFailure(`No screenshots: ${reason}`);
  const { chromium } = createRequire(join(root, 'test/package.json'))('playwright');
  // Disables Playwright's signal handlers. Otherwise Ctrl-C would end this program before the service has stopped.
  const signals = { handleSIGINT: false, handleSIGTERM: false };
  const args = ['--no-sandbox', '--disable-gpu'];
  const browser = await chromium.launch({ executablePath: binary, args, ...signals });
  await mkdir(OUT, { recursive: true });
  const chosen = shots.filter(({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)));
  const failed = [];
  let count = 0;
  try {
    for (const [width, colorScheme] of looks) {
      for (const isPublic of [false, true]) {
        const context = await browser.newContext({ viewport: { width, height: HEIGHT }, colorScheme });
        context.setDefaultTimeout(15_000);
        const page = await context.newPage();
        for (const shot of chosen) {
          const { name, widths = [1440, 390] } = shot;
          if ((shot.isPublic ?? false) !== isPublic || !widths.includes(width)) continue;
          try {
            await open(page, url, shot);
          } catch (error) {
            failed.push(`${name} at ${width}: ${error.message.split('\n')[0]}`);
          }
          await picture(page, join(OUT, `${name}-${width}-${colorScheme}.png`));
          await page.unrouteAll({ behavior: 'ignoreErrors' });
          await context.setOffline(false);
          count++;
        }
        await context.close();
      }
    }
  } finally {
    await browser.close();
  }
  for (const line of failed) say(`Unexpected result: ${line}`);
  say(`${count} screenshots are in ${OUT}.`);
  return failed.length === 0 ? 0 : 1;
}

/** Opens a page in the requested state. */
async function open(page, url, { path, isPublic, before, act }) {
  if (before) await before(page);
  await page.goto(`${url}${path}`);
  const password = page.getByLabel('Password');
  if (!isPublic) {
    await password.or(page.locator('#page')).first().waitFor();
    if (await password.isVisible()) await signIn(page);
  }
  await settled(page);
  if (!act) return;
  await act(page);
  // Waits until delayed loading starts.
  await page.waitForTimeout(200);
  await settled(page);
}

/**
 * Waits until nothing is loading. Both waits are short, because live pages always have requests and a page that cannot
 * load keeps its state.
 */
async function settled(page) {
  await page.waitForLoadState('networkidle', { timeout: 1_000 }).catch(() => undefined);
  await page
    .waitForFunction('!document.querySelector(".loading, [aria-busy=true]")', undefined, { timeout: 3_000 })
    .catch(() => undefined);
}

/** Captures the whole page: makes the window as high as the page, so that sticky elements are in place. */
async function picture(page, path) {
  const { width } = page.viewportSize();
  const height = await page.evaluate('document.documentElement.scrollHeight');
  if (height > HEIGHT) await page.setViewportSize({ width, height });
  await page.screenshot({ path });
  await page.setViewportSize({ width, height: HEIGHT });
}

/** Returns the shot of the home page, for two captures: before users exist, and while no user has a problem. */
const homeAs = (name) => [{ name, path: '/' }];

await main(async () => {
  await ensureInstalled();
  await build({ everything: false });
  const given = process.env.SCREENSHOTS_URL;
  const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));
  const looks = process.argv.includes('--two') ? LOOKS.filter(([width, scheme]) => TWO[width] === scheme) : LOOKS;
  const service = given ? { url: given, stop: async () => undefined } : await startSimulated();
  try {
    if (!given) {
      await takeScreenshots(service.url, homeAs('home-first'), wanted, looks);
      await service.fill();
      await takeScreenshots(service.url, homeAs('home-well'), wanted, looks);
    }
    const call = await developerAt(service.url);
    await createUsers(call);
    const subjects = await findSubjects(call);
    const shots = [pagesOf(subjects), statesOf(subjects), await connectPages(call), await receiptPage(call)].flat();
    return await takeScreenshots(service.url, shots, wanted, looks);
  } finally {
    await service.stop();
  }
});
