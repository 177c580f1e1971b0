// Finds the running service for the demo, or runs a service during the demo.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { root, say, ToolFailure, withProgress } from './checkout.mjs';
import { answers } from './demo-address.mjs';

const START_WITHIN_MS = 180_000;
const STOP_WITHIN_MS = 60_000;
const LAST_LINES = 20;
/** Exit code of healthd for conflicting settings. The output names the settings. */
const EXIT_WRONG_SETTINGS = 78;

/**
 * Starts a service unless a service already responds at the URL. Adds simulated vendors unless the operator's settings
 * or data conflict with them.
 * @param {string} url expected URL of the service
 * @param {AbortSignal} signal
 * @returns {Promise<{ startedHere: boolean, stop(): Promise<void> }>} `stop` does not stop a service that was already
 *   running
 */
export async function startService(url, signal) {
  if (await answers(url)) {
    say(`The service runs at ${url}.`);
    return { startedHere: false, stop: async () => undefined };
  }
  say(`No service at ${url}: starting one for the demo …`);
  try {
    return await startSlowly(url, signal, { SANDBOX: 'true' });
  } catch (error) {
    if (error.exitCode !== EXIT_WRONG_SETTINGS || process.env.SANDBOX) throw error;
    return startSlowly(url, signal, {});
  }
}

function startSlowly(url, signal, settings) {
  return withProgress('Still starting the service', () => start(url, signal, settings));
}

async function start(url, signal, settings) {
  // Runs in a separate process group, so that Ctrl-C does not stop the service before the demo has cleaned up.
  const child = spawn(process.execPath, [join(root, 'scripts/start.mjs')], {
    cwd: root,
    env: { ...process.env, INIT_CWD: root, PORT: new URL(url).port || '80', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const lines = follow(child);
  const ended = new Promise((done) => child.once('close', done));
  const stop = () => stopService(child, ended);
  const deadline = Date.now() + START_WITHIN_MS;
  while (!(await answers(url))) {
    const why = signal.aborted ? 'Interrupted.' : child.exitCode !== null ? 'The service ended.' : undefined;
    if (why === undefined && Date.now() < deadline) {
      await sleep(200);
      continue;
    }
    await stop();
    if (!signal.aborted) for (const line of lines) say(`  ${line}`);
    throw Object.assign(new ToolFailure(why ?? 'The service did not start in time.'), { exitCode: child.exitCode });
  }
  return { startedHere: true, stop };
}

/** Passes on the messages for users, because the first start prints account and password once. Drops the log. */
function follow(child) {
  const kept = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      kept.push(line);
      if (kept.length > LAST_LINES) kept.shift();
      if (/^ {2}(Account|Password|API key|healthctl) /.test(line) || line.startsWith('First start')) say(line);
    });
  }
  return kept;
}

async function stopService(child, ended) {
  if (child.exitCode !== null) return;
  say("\nStopping the demo's service. Run `npm start` to start it again with all data.");
  child.kill('SIGINT');
  const late = setTimeout(() => child.kill('SIGTERM'), STOP_WITHIN_MS);
  await ended;
  clearTimeout(late);
}
