// `npm run demo [-- days]`: creates a user, imports generated data (a year by default) and reads it through healthctl,
// then connects the user to the simulated vendors. Every run creates a new user.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from './build.mjs';
import { main, say } from './checkout.mjs';
import { findAddress, isUsual } from './demo-address.mjs';
import { disconnect, showClouds } from './demo-cloud.mjs';
import { healthctlAt } from './demo-healthctl.mjs';
import { startService } from './demo-service.mjs';
import { showTerms } from './demo-terms.mjs';
import { ensureInstalled } from './install.mjs';

const DAYS = Number(process.argv[2] ?? 365);
const SEED = 20;
const stop = new AbortController();

async function createUser(healthctl) {
  const name = new Date().toISOString().slice(0, 19).replace('T', ' ');
  const answer = await healthctl(['users', 'create', '--first-name', 'Demo', '--last-name', name, '--json', 'id'], {
    capture: true,
  });
  say(`Created user Demo ${name}.`);
  return JSON.parse(answer).id;
}

/** Writes a phone export that ends yesterday, because today is not complete. */
async function writeDemoExport(path) {
  const { writeExport } = await import('../packages/simulators/dist/index.js');
  const last = new Date();
  last.setDate(last.getDate() - 1);
  const endDate = [last.getFullYear(), last.getMonth() + 1, last.getDate()]
    .map((n) => String(n).padStart(2, '0'))
    .join('-');
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  await writeExport(path, { seed: SEED, density: 'light', days: DAYS, endDate, timeZone });
  say(`Generated a health export with ${DAYS} days until ${endDate}.`);
}

async function runDemo(folder, healthctl, { startedHere }) {
  const file = join(folder, 'export.zip');
  await writeDemoExport(file);
  const user = await createUser(healthctl);
  try {
    await healthctl(['import', file, '--user', user, '--output', 'table']);
    const demo = { healthctl, user, signal: stop.signal };
    const { connected } = await showClouds(demo);
    await showTerms(demo, connected);
    if (startedHere) await disconnect(demo, connected);
    say('\nThe last 14 days and today:');
    await healthctl(['data', 'activity', '--user', user, '--from', '15d', '--output', 'table']);
    return user;
  } catch (error) {
    await removeUser(healthctl, user);
    throw error;
  }
}

async function removeUser(healthctl, user) {
  try {
    await healthctl(['users', 'delete', user, '--yes', '--json', 'id'], { capture: true, apart: true });
  } catch {
    say(`Failed to delete the user. Delete it later: npm run -s healthctl -- users delete ${user}`);
  }
}

function printNextSteps(user, { url, chosen, startedHere }) {
  const see = startedHere ? ' (after `npm start`)' : '';
  say(`\nOpen it in the console${see}: ${url}/users/${user}\n`);
  say('Next steps:');
  for (const command of [
    `data summary --user ${user}`,
    `data sleep --user ${user} --from 14d`,
    `data timeseries --user ${user} --types heart_rate --resolution 1hour --from 2d`,
    `users delete ${user}`,
  ]) {
    say(`  npm run -s healthctl -- ${chosen ? `--url ${chosen} ` : ''}${command}`);
  }
}

await main(async () => {
  if (!Number.isInteger(DAYS) || DAYS < 1) {
    console.error('Usage: npm run demo [-- days]. Default: 365 days of data.');
    return 64;
  }
  const begun = performance.now();
  for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => stop.abort());
  await ensureInstalled({ toRun: true });
  await build({ everything: false });
  const at = (address) => healthctlAt(address, stop.signal);
  const url = await findAddress(at);
  const service = await startService(url, stop.signal);
  const chosen = (await isUsual(at, url)) ? undefined : url;
  const folder = await mkdtemp(join(tmpdir(), 'healthd-demo-'));
  try {
    const user = await runDemo(folder, at(chosen), service);
    printNextSteps(user, { url, chosen, startedHere: service.startedHere });
  } finally {
    await rm(folder, { recursive: true, force: true });
    await service.stop();
  }
  say(`\nThe demo took ${((performance.now() - begun) / 1000).toFixed(1)} s.`);
});
