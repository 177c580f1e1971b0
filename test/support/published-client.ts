import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');
const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc');

/** Creates a folder outside of the checkout with the packed client installed. The caller removes it. */
export async function publishedClientFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'healthd-client-'));
  await run('npm', ['run', 'pack:client', folder], { cwd: ROOT });
  const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? '';
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await run('npm', ['install', '--offline', join(folder, tarball)], { cwd: folder });
  return folder;
}

/** Compiles a program with the client in a separate folder. Returns the compiler's errors. */
export async function compileInFolder(folder: string, name: string, program: string): Promise<string> {
  await mkdir(join(folder, name), { recursive: true });
  const source = join(folder, name, 'program.ts');
  await writeFile(source, program);
  const options = ['--strict', '--exactOptionalPropertyTypes', '--module', 'nodenext', '--target', 'es2023'];
  const types = ['--lib', 'es2023,dom', '--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')];
  return run(process.execPath, [COMPILER, ...options, ...types, source], { cwd: folder }).then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  );
}
