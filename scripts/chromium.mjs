#!/usr/bin/env node
// Finds a Chromium for the browser tests; users of healthd do not need it. As a program it installs the system's
// package if none exists, and prints the binary's path, or prints the reason and exits with 1.
import { execFile } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
const INSTALL_LIMIT_MS = 240_000;

async function starts(binary) {
  try {
    const { stdout } = await run(binary, ['--version'], { timeout: 15_000 });
    return /chrom/i.test(stdout);
  } catch {
    return false;
  }
}

async function onPath() {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  const candidates = NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  for (const binary of process.platform === 'darwin' ? [...candidates, MAC] : candidates) {
    if (await starts(binary)) return binary;
  }
  return undefined;
}

/** Installs the distribution's package. Returns the reason of a failure. */
async function install() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root on Linux can install it';
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const options = { env, timeout: INSTALL_LIMIT_MS, maxBuffer: 64 * 1024 * 1024 };
  try {
    await run('apt-get', ['update', '-q'], options);
    await run('apt-get', ['install', '-q', '-y', '--no-install-recommends', 'chromium'], options);
    return 'apt-get has installed it, but it does not start';
  } catch (error) {
    return error.code === 'ENOENT' ? 'apt-get is missing' : 'apt-get could not install it';
  }
}

/**
 * Finds a browser in this order: CHROMIUM_BINARY, the PATH, the system's package if it may be installed.
 * CHROMIUM_MISSING (the reason that an earlier search of the same test run found) ends the search immediately.
 *
 * @param {{ mayInstall?: boolean }} [options]
 * @returns {Promise<{binary?: string, reason?: string}>} either the binary or the reason why it is missing
 */
export async function findChromium({ mayInstall = false } = {}) {
  if (process.env.CHROMIUM_BINARY) {
    if (await starts(process.env.CHROMIUM_BINARY)) return { binary: process.env.CHROMIUM_BINARY };
    return { reason: 'CHROMIUM_BINARY names a file that does not start here' };
  }
  if (process.env.CHROMIUM_MISSING) return { reason: process.env.CHROMIUM_MISSING };
  const found = await onPath();
  if (found) return { binary: found };
  if (!mayInstall) return { reason: 'no Chromium on the PATH: node scripts/chromium.mjs installs it' };
  const reason = await install();
  const installed = await onPath();
  return installed ? { binary: installed } : { reason: `no Chromium on the PATH, and ${reason}` };
}

/** Returns the environment variables with which tests find the browser. Installs a browser if possible. */
export async function chromiumEnvironment() {
  const { binary, reason } = await findChromium({ mayInstall: true });
  return binary ? { CHROMIUM_BINARY: binary } : { CHROMIUM_MISSING: reason };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const found = await findChromium({ mayInstall: true });
  if (found.reason) process.stderr.write(`${found.reason}\n`);
  else process.stdout.write(`${found.binary}\n`);
  process.exitCode = found.reason ? 1 : 0;
}
