// Runs a built program of the checkout inside this process: signals and exit codes are its own, nothing to forward.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './checkout.mjs';

/** The programs and the files that are their entries. */
export const PROGRAMS = {
  healthd: 'daemon/dist/main.js',
  healthctl: 'cli/dist/main.js',
  simulator: 'packages/simulators/dist/main.js',
};

/** @param {keyof typeof PROGRAMS} name */
export async function runProgram(name, args) {
  const entry = join(root, PROGRAMS[name]);
  // npm starts scripts in the checkout; paths that people type are meant from where they typed them.
  if (process.env.INIT_CWD) process.chdir(process.env.INIT_CWD);
  process.setSourceMapsEnabled(true);
  process.argv = [process.argv[0], entry, ...args];
  await import(pathToFileURL(entry).href);
}

/**
 * npm passes a signal on to the shell between it and this process, and the shell dies without passing it on. So the end
 * of the shell counts as the signal; otherwise `kill` of npm would leave the service running.
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
