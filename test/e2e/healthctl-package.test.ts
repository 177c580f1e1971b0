import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { API_VERSION } from '@healthd/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { extent } from '../support/extent.js';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');
/** Additional Node versions, which the npm package `node` provides. */
const OTHER_NODES = ['20', '22', '24', '26'];

let folder: string;
let program: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'healthctl-package-'));
  await run('npm', ['run', 'pack:healthctl', folder], { cwd: ROOT });
  const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? '';
  const prefix = join(folder, 'prefix');
  await mkdir(prefix);
  await run('npm', ['install', '--global', '--offline', '--prefix', prefix, join(folder, tarball)], { cwd: folder });
  program = join(prefix, 'bin/healthctl');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Returns the installed program's output in an empty folder without a profile. */
async function healthctl(node: string, ...args: string[]) {
  const home = await mkdtemp(join(folder, 'home-'));
  return run(node, [program, ...args], { cwd: home, env: { PATH: process.env.PATH, HOME: home } }).catch(
    (error) => error,
  );
}

async function worksOn(node: string): Promise<void> {
  const { stdout } = await run(node, ['--version']);
  expect(JSON.parse((await healthctl(node, 'version')).stdout)).toEqual({
    healthctl: API_VERSION,
    node: stdout.trim().slice(1),
  });
  expect((await healthctl(node, '--help')).stdout).toContain('import [options] <files...>');
  expect((await healthctl(node, 'completion', 'bash')).stdout).toContain('complete -F _healthctl healthctl');
  // These commands load modules lazily. The installed file must contain these modules too.
  const unreachable = await healthctl(node, 'doctor', '--url', 'http://127.0.0.1:9');
  expect([unreachable.code, JSON.parse(unreachable.stdout)[1].code]).toEqual([5, 'unreachable']);
  await writeFile(join(folder, 'bad.json'), '{"provider":"apple","data":{"records":[{}]}}');
  const user = '00000000-0000-4000-8000-000000000000';
  const rejected = await healthctl(node, 'push', join(folder, 'bad.json'), '--user', user);
  expect([rejected.code, rejected.stderr]).toEqual([2, expect.stringContaining('payload_invalid')]);
}

test('installs offline without dependencies', async () => {
  const manifest = JSON.parse(await readFile(join(folder, 'prefix/lib/node_modules/healthctl/package.json'), 'utf8'));
  expect(manifest).toMatchObject({
    name: 'healthctl',
    version: API_VERSION,
    bin: { healthctl: 'bundle/healthctl.mjs' },
  });
  expect(Object.keys(manifest).filter((name) => /ependencies|private/.test(name))).toEqual([]);
});

test('runs the installed healthctl on the running Node', () => worksOn(process.execPath));

test.for(OTHER_NODES)('runs the installed healthctl on Node %s', async (version, { skip }) => {
  skip(extent(1, 0) === 1, 'only in the long form: it installs another Node');
  const prefix = join(folder, `node-${version}`);
  await run('npm', ['install', '--prefix', prefix, `node@${version}`]);
  await worksOn(join(prefix, 'node_modules/node/bin/node'));
});
