// Locates the checkout and runs its tools.
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

/** Folder with the workspace's package.json. */
export const root = resolve(import.meta.dirname, '..');

/** Exits with one line if this Node is too old for the dependencies. */
function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(`healthd needs Node 20.19 or newer; this is ${process.versions.node}. See https://nodejs.org`);
  process.exit(1);
}

/** Error of a tool that has already printed the reason. */
export class ToolFailure extends Error {}

/**
 * Runs a program in the checkout and waits for it. Its output goes to stderr, because stdout is reserved for results.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, stdout?: 'inherit', timeoutMs?: number }} [options] `timeoutMs`
 * stops the program after this time
 * @returns {Promise<number>} the exit code, 128 + n after a signal
 */
export function runTool(command, args, options = {}) {
  return new Promise((done, fail) => {
    const child = spawn(command, args, {
      cwd: options.cwd ?? root,
      env: { ...process.env, ...options.env },
      stdio: ['ignore', options.stdout ?? 2, 2],
      timeout: options.timeoutMs,
      shell: process.platform === 'win32' && !command.endsWith('.exe'),
    });
    child.once('error', fail);
    child.once('exit', (code, signal) => done(code ?? 128 + (signal === 'SIGINT' ? 2 : 15)));
  });
}

/** Prints a message for the user to stderr. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

const PROGRESS_MS = 10_000;

/**
 * Runs work that may take long, and prints a line at intervals until it ends.
 * @template T
 * @param {string} what text of the line, such as "Still building"
 * @param {() => Promise<T>} work
 * @param {{ everyMs?: number, tell?: (line: string) => void }} [options]
 * @returns {Promise<T>}
 */
export async function withProgress(what, work, { everyMs = PROGRESS_MS, tell = say } = {}) {
  const begun = performance.now();
  const seconds = () => Math.round((performance.now() - begun) / 1000);
  const timer = setInterval(() => tell(`  ${what} (${seconds()} s) …`), everyMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** Runs the main part of a script. A tool's failure exits with 1, without a stack. */
export async function main(work) {
  requireNode();
  try {
    const code = await work();
    if (typeof code === 'number') process.exitCode = code;
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    say(error.message);
    process.exitCode = 1;
  }
}
