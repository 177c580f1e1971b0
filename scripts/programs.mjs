// Runs a built program of the checkout in this process, so that signals and exit codes need no forwarding.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './checkout.mjs';

/** Programs with their entry files. */
export const PROGRAMS = {
  healthd: 'daemon/dist/main.js',
  healthctl: 'cli/dist/main.js',
  simulator: 'packages/simulators/dist/main.js',
};

/** @param {keyof typeof PROGRAMS} name */
export async function runProgram(name, args) {
  const entry = join(root, PROGRAMS[name]);
  // npm runs scripts in the checkout, but paths in arguments are relative to the caller's folder.
  if (process.env.INIT_CWD) process.chdir(process.env.INIT_CWD);
  process.setSourceMapsEnabled(true);
  process.argv = [process.argv[0], entry, ...args];
  await import(pathToFileURL(entry).href);
}

/**
 * Stops this process when npm is stopped. npm sends a signal to the shell between npm and this process, and the shell
 * exits without forwarding the signal. Therefore treats the shell's end as the signal. Otherwise `kill` of npm would
 * leave the service running.
 */
export function stopWithNpm() {
  if (!process.env.npm_lifecycle_event) return;
  const shell = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 250);
  watch.unref();
}
