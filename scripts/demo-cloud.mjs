// The demo's vendors: connects the user to sandbox accounts by the real consent flow, reads 90 days, then simulates new
// data at Google.
import { say, ToolFailure } from './checkout.mjs';
import { callApi } from './demo-healthctl.mjs';
import { connectVendor, consent, findSandboxes, showSources, waitFor } from './demo-vendors.mjs';

const PROVIDER = 'google';
const HISTORY_DAYS = 90;
const SEED = 20;
const MINUTE_MS = 60_000;
const RUN_MINUTES = 20;
/** Exceeds the steps per minute that the generated data can already contain. */
const STEPS_A_MINUTE = 180;

/**
 * Connects the user to every simulated vendor of the service. For Google, continues with all later events of the demo.
 * @param {{ healthctl: import('./demo-healthctl.mjs').Healthctl, user: string, signal: AbortSignal }} demo
 * @returns {Promise<{ connected: string[] }>} providers
 */
export async function showClouds(demo) {
  const vendors = await findSandboxes(demo);
  if (vendors.length === 0) {
    say('\nSkipping vendors: the service runs without its sandbox (SANDBOX=true npm start).');
    return { connected: [] };
  }
  for (const vendor of vendors) {
    if (vendor.provider === PROVIDER) await showGoogle(demo, vendor);
    else await connectVendor(demo, vendor);
  }
  await showSources(demo);
  return { connected: vendors.map(({ provider }) => provider) };
}

async function showGoogle(demo, { authorizationUrl }) {
  const { connectGoogleSimulator } = await import('../packages/simulators/dist/index.js');
  const simulator = await connectGoogleSimulator(authorizationUrl.origin);
  const account = await addUser(simulator);
  say(`\nConnecting the user to ${account.email}, a generated account at a simulated Google Health …`);
  await consent(authorizationUrl, account);
  say('Consent was given.');
  await readHistory(demo);
  await receiveNewData(demo, simulator, account);
}

/** Deletes the connections. After a restart they would be invalid, because simulated vendors store no accounts. */
export async function disconnect({ healthctl, user }, providers) {
  for (const provider of providers) {
    await callApi(healthctl, 'delete', `/users/${user}/connections/${provider}`, { apart: true });
  }
}

/** Creates a new account for every demo, so that demo users never share an account. */
async function addUser({ control }) {
  const id = `demo-${new Date().toISOString().slice(0, 19).replaceAll(/\D/g, '')}`;
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const account = await control.addAccount({ id, timeZone });
  await control.seedHistory(id, { seed: SEED, days: HISTORY_DAYS, density: 'light' });
  return account;
}

/** Waits for the last day's data. Then shows the backfill of older days, if the service runs a backfill. */
async function readHistory(demo) {
  await waitFor(demo, 'the first data', async () => {
    const first = await runOf(demo, 'pull');
    return first?.ended_at ? first : undefined;
  });
  const backfill = await runOf(demo, 'backfill');
  if (backfill === undefined) {
    say('The last day has arrived. Older data is not read: HISTORICAL_SYNC_ON_CONNECT is false.');
    return;
  }
  say(`The last day has arrived. Reading the ${HISTORY_DAYS} previous days within the vendor's rate limit:`);
  await demo.healthctl(['runs', 'watch', backfill.run_id, '--output', 'table']);
}

/**
 * Shows webhook mode, in which the vendor reports changes and the service requests only the changed data. Restores the
 * previous mode afterwards.
 */
async function receiveNewData(demo, { control }, account) {
  const before = (await providerOf(demo)).live_sync_mode;
  await setMode(demo, 'webhook');
  try {
    const settled = await waitFor(demo, 'the vendor to verify the webhook', async () => {
      const provider = await providerOf(demo);
      return provider.subscriber_state === 'registering' ? undefined : provider;
    });
    if (settled.subscriber_state !== 'active') {
      throw new ToolFailure(`The webhook could not be registered: ${settled.subscriber_error}`);
    }
    say('The service is registered at the vendor for webhooks and has passed the handshake.');
    await goForARun(demo, control, account);
  } finally {
    if (before !== 'webhook') await setMode(demo, before, { apart: true });
  }
}

/** Simulates a run that the device uploads. */
async function goForARun(demo, control, account) {
  const endMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 2 * MINUTE_MS;
  const range = { startMs: endMs - RUN_MINUTES * MINUTE_MS, endMs };
  const stepsBefore = await stepsIn(demo, range);
  const known = await runOf(demo, 'webhook');
  const begun = performance.now();
  await control.addPoints(account.id, pointsOfRun(range));
  say(`A run of ${RUN_MINUTES} minutes reaches the vendor; the vendor notifies the service …`);
  const stepsAfter = await waitFor(demo, 'the run to arrive', async () => {
    // Compares the steps too, because an earlier notification may report other generated data.
    const newest = await runOf(demo, 'webhook');
    if (newest?.run_id === known?.run_id || newest?.ended_at === null) return undefined;
    const steps = await stepsIn(demo, range);
    return steps > stepsBefore ? steps : undefined;
  });
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  say(
    `… and arrives after ${seconds} s. Steps of these ${RUN_MINUTES} minutes: ${stepsBefore} before, ${stepsAfter} now.`,
  );
}

function pointsOfRun({ startMs, endMs }) {
  const points = [];
  for (let atMs = startMs; atMs < endMs; atMs += MINUTE_MS) {
    const time = { startTime: new Date(atMs).toISOString(), endTime: new Date(atMs + MINUTE_MS).toISOString() };
    points.push({ dataType: 'steps', ...time, value: STEPS_A_MINUTE, source: 'watch' });
  }
  return points;
}

async function stepsIn({ healthctl, user }, { startMs, endMs }) {
  const query = new URLSearchParams({
    types: 'steps',
    start_time: new Date(startMs).toISOString(),
    end_time: new Date(endMs).toISOString(),
    limit: '1000',
  });
  const { data } = await callApi(healthctl, 'get', `/users/${user}/timeseries?${query}`);
  return Math.round(data.reduce((sum, { value }) => sum + value, 0));
}

async function providerOf({ healthctl }) {
  const providers = await callApi(healthctl, 'get', '/oauth/providers');
  return providers.find(({ provider }) => provider === PROVIDER);
}

async function setMode({ healthctl }, mode, { apart = false } = {}) {
  const data = { live_sync_mode: mode };
  await callApi(healthctl, 'put', `/oauth/providers/${PROVIDER}`, { data, developer: true, apart });
}

/** Returns the user's newest Google sync run of a type. */
async function runOf({ healthctl, user }, source) {
  const runs = await callApi(healthctl, 'get', `/users/${user}/sync/runs`);
  return runs.find((run) => run.provider === PROVIDER && run.source === source);
}
