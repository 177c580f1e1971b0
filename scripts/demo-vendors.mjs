// The demo's other simulated vendors: every local cloud that is configured in the service. The user consents at each
// vendor, and the service reads the vendor's data. Then shows the source of a day's numbers.
import { setTimeout as sleep } from 'node:timers/promises';
import { say, ToolFailure, withProgress } from './checkout.mjs';
import { callApi } from './demo-healthctl.mjs';

const HISTORY_DAYS = 90;
const SEED = 21;
const LOCAL_HOSTS = ['127.0.0.1', 'localhost', '[::1]'];
const PATIENCE_MS = 120_000;
/** A checkbox of a simulator's consent page. */
const BOX = /<input type="checkbox" name="([^"]+)" value="([^"]+)"/g;

/**
 * Returns clouds whose consent page is a simulator's, in the order of the service.
 * @param {{ healthctl: import('./demo-healthctl.mjs').Healthctl, user: string }} demo
 * @returns {Promise<{ provider: string, name: string, authorizationUrl: URL }[]>}
 */
export async function findSandboxes({ healthctl, user }) {
  const providers = await callApi(healthctl, 'get', '/oauth/providers?cloud_only=true&enabled_only=true');
  const found = [];
  for (const { provider, name, is_configured: isConfigured } of providers) {
    if (!isConfigured) continue;
    const begun = await callApi(healthctl, 'get', `/oauth/${provider}/authorize?user_id=${user}`);
    const authorizationUrl = new URL(begun.authorization_url);
    if (LOCAL_HOSTS.includes(authorizationUrl.hostname) && (await isSimulator(authorizationUrl.origin))) {
      found.push({ provider, name, authorizationUrl });
    }
  }
  return found;
}

/** True for a simulator. Real vendors and proxies do not have its control route. */
async function isSimulator(origin) {
  return fetch(`${origin}/control/accounts`, { method: 'POST', body: '[]' }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Connects the user to one more vendor and waits for its first data. */
export async function connectVendor(demo, { provider, name, authorizationUrl }) {
  const id = `demo-${new Date().toISOString().slice(0, 19).replaceAll(/\D/g, '')}`;
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const account = await control(authorizationUrl.origin, 'addAccount', { id, timeZone });
  await control(authorizationUrl.origin, 'seedHistory', id, { seed: SEED, days: HISTORY_DAYS });
  say(`\nConnecting the user to ${account.email ?? id}, a generated account at a simulated ${name} …`);
  await consent(authorizationUrl, account);
  const runs = await waitFor(demo, `the first data of ${name}`, () => runsWithData(demo, provider));
  if (runs.length === 0) return say('Consent was given; the vendor will send the data.');
  const items = runs.reduce((sum, { items_processed: count }) => sum + (count ?? 0), 0);
  const failed = runs.find(({ status }) => status === 'failed');
  if (failed) throw new ToolFailure(`Reading from ${name} failed: ${failed.error ?? failed.message}`);
  const isOpen = runs.some(({ ended_at: endedAt }) => endedAt === null);
  const rest = isOpen ? '; the vendor will send more' : ` of ${HISTORY_DAYS} days have arrived`;
  say(`Consent was given, and ${items.toLocaleString('en-US')} items${isOpen ? ' have arrived' : ''}${rest}.`);
}

/** Acts as the user's browser: submits the consent form and follows the redirect to the service. */
export async function consent(authorizationUrl, { id, email }) {
  const page = new URL(authorizationUrl);
  page.searchParams.set('login_hint', email ?? id);
  const shown = await fetch(page);
  if (!shown.ok) throw new ToolFailure(`The vendor's consent page answered ${shown.status}.`);
  const form = new URLSearchParams({ account: id, decision: 'allow' });
  for (const [, name, value] of (await shown.text()).matchAll(BOX)) form.append(name, value);
  const answer = await fetch(page, { method: 'POST', body: form, headers: { accept: 'application/json' } });
  const { success, message } = answer.ok ? await answer.json() : { success: false, message: `status ${answer.status}` };
  if (!success) throw new ToolFailure(`The consent did not connect the user: ${message}`);
}

/**
 * Returns the provider's runs after all runs have ended. Undefined until then, and while there are no runs. In webhook
 * mode, a vendor may fulfill history requests at any time. In this mode, also returns an empty list, or unfinished runs
 * after a run has processed data.
 */
async function runsWithData({ healthctl, user }, provider) {
  const runs = await callApi(healthctl, 'get', `/users/${user}/sync/runs`);
  const own = runs.filter((run) => run.provider === provider);
  if (own.length > 0 && own.every(({ ended_at: endedAt }) => endedAt !== null)) return own;
  const connections = await callApi(healthctl, 'get', `/users/${user}/connections`);
  const connection = connections.find((one) => one.provider === provider);
  if (connection?.live_sync_mode !== 'webhook') return undefined;
  return own.length === 0 || own.some(({ items_processed: count }) => count > 0) ? own : undefined;
}

/** Shows which vendor each of yesterday's numbers comes from. */
export async function showSources({ healthctl, user }) {
  const commands = [
    ['Activity of yesterday: every source, and the source of each number', ['explain', 'yesterday'], []],
    ['Nights, by source', ['sleep'], ['--from', '2d']],
    ['Recovery, by source', ['recovery'], ['--from', '2d']],
  ];
  for (const [title, command, options] of commands) {
    say(`\n${title}:`);
    await healthctl(['data', ...command, '--user', user, ...options, '--output', 'table']);
  }
  await showScores({ healthctl, user });
}

/** Prints one score per provider and category, because some vendors compute a score many times a day. */
async function showScores({ healthctl, user }) {
  say('\nThe newest vendor scores of each category:');
  const fields = 'provider,category,value,max,qualifier,recorded_at';
  const command = ['data', 'scores', '--user', user, '--from', '2d', '--all', '--json', fields];
  const scores = JSON.parse(await healthctl(command, { capture: true }));
  const rows = newestScores(scores).map(({ provider, category, value, max, qualifier }) => [
    provider,
    category,
    `${value === null ? '-' : Math.round(value * 10) / 10}${max === null ? '' : ` of ${max}`}`,
    qualifier ?? '',
  ]);
  const table = [['Provider', 'Score', 'Value', 'Meaning'], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...table.map((row) => row[column].length)));
  for (const row of table)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}

/** Returns the newest score of each provider and category, ordered by both. */
export function newestScores(scores) {
  const newest = new Map();
  for (const score of scores) {
    const key = `${score.provider} ${score.category}`;
    const known = newest.get(key);
    if (known === undefined || Date.parse(score.recorded_at) > Date.parse(known.recorded_at)) newest.set(key, score);
  }
  return [...newest].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, score]) => score);
}

async function control(origin, method, ...args) {
  const answer = await fetch(`${origin}/control/${method}`, { method: 'POST', body: JSON.stringify(args) });
  if (!answer.ok) throw new ToolFailure(`The simulated vendor refused ${method}: ${await answer.text()}`);
  return answer.json();
}

/** Waits for a vendor's result and prints a line at intervals. */
export function waitFor(demo, what, look) {
  return withProgress(`Still waiting for ${what}`, () => pollUntilFound(demo, what, look));
}

async function pollUntilFound({ signal }, what, look) {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > deadline)
      throw new ToolFailure(`Timed out after ${PATIENCE_MS / 1000} s: the demo was waiting for ${what}.`);
    await sleep(500, undefined, { signal }).catch(() => {
      throw new ToolFailure('Interrupted.');
    });
  }
}
