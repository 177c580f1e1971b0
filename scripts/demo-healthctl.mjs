// Runs healthctl for the demo, as a user would.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root, ToolFailure } from './checkout.mjs';
import { PROGRAMS } from './programs.mjs';

/**
 * @typedef {(args: string[], options?: { capture?: boolean, apart?: boolean, quiet?: boolean }) => Promise<string>} Healthctl
 * capture: return stdout instead of printing it; apart: protect cleanup from Ctrl-C; quiet: hide stderr
 * @typedef {(url: string | undefined) => Healthctl} HealthctlAt undefined: healthctl's default service
 */

/**
 * @param {string | undefined} url the service
 * @param {AbortSignal} signal
 * @returns {Healthctl}
 */
export function healthctlAt(url, signal) {
  const address = url === undefined ? [] : ['--url', url];
  return (args, { capture = false, apart = false, quiet = false } = {}) =>
    new Promise((done, fail) => {
      if (!apart && signal.aborted) return fail(new ToolFailure('Interrupted.'));
      const child = spawn(process.execPath, [join(root, PROGRAMS.healthctl), ...address, ...args], {
        stdio: ['ignore', capture ? 'pipe' : 'inherit', quiet ? 'ignore' : 'inherit'],
        // Makes healthctl print hints with the commands of a checkout.
        env: { ...process.env, npm_lifecycle_event: 'healthctl' },
        detached: apart,
      });
      let text = '';
      child.stdout?.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      const interrupt = () => child.kill('SIGINT');
      if (!apart) signal.addEventListener('abort', interrupt);
      child.once('error', fail);
      child.once('close', (code) => {
        signal.removeEventListener('abort', interrupt);
        if (!apart && signal.aborted) fail(new ToolFailure('Interrupted.'));
        else if (code === 0) done(text);
        else fail(new ToolFailure(`The demo failed at: healthctl ${args.join(' ')}`));
      });
    });
}

/** Calls a route through healthctl. */
export async function callApi(healthctl, method, path, { data, developer = false, apart = false } = {}) {
  const options = [...(developer ? ['--developer'] : []), ...(data ? ['--data', JSON.stringify(data)] : [])];
  const text = await healthctl(['api', ...options, method, path], { capture: true, apart });
  return text === '' ? undefined : JSON.parse(text);
}
