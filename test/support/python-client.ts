import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const REQUIREMENTS = resolve(import.meta.dirname, 'python-client.txt');
/** Outside version control and kept from run to run. */
const KEPT = resolve(import.meta.dirname, '../../.healthd');

/** The folder with the generator of Python clients and what it needs, or why there is none. */
export async function pythonGenerator(): Promise<{ modules: string } | { missing: string }> {
  const interpreter = await run('python3', ['--version']).catch(() => undefined);
  if (!interpreter) return { missing: 'there is no python3' };
  const versions = createHash('sha256')
    .update(interpreter.stdout)
    .update(await readFile(REQUIREMENTS));
  const modules = join(KEPT, `python-client-${versions.digest('hex').slice(0, 12)}`);
  if (existsSync(modules)) return { modules };
  await mkdir(KEPT, { recursive: true });
  const unfinished = await mkdtemp(join(KEPT, 'python-client-unfinished-'));
  try {
    const options = ['--quiet', '--no-deps', '--no-compile', '--only-binary', ':all:', '--target', unfinished];
    await run('python3', ['-m', 'pip', 'install', ...options, '-r', REQUIREMENTS], { timeout: 150_000 });
    await rename(unfinished, modules);
    return { modules };
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    return { missing: `pip cannot install what python-client.txt names: ${firstLine(error)}` };
  }
}

const firstLine = (error: unknown) => (error instanceof Error ? error.message.split('\n', 1)[0] : String(error));

/** Makes a client of a document in a folder that does not exist yet; returns what the generator complained about. */
export async function generatePythonClient(modules: string, document: string, folder: string): Promise<string[]> {
  const config = `${folder}-config.json`;
  await writeFile(config, JSON.stringify({ post_hooks: [] }));
  const options = ['--path', document, '--meta', 'none', '--config', config, '--output-path', folder];
  const { stdout, stderr } = await python(modules, ['-m', 'openapi_python_client', 'generate', ...options]);
  await python(modules, ['-m', 'compileall', '-q', folder]);
  return (stdout + stderr).split('\n').filter((line) => line.startsWith('WARNING') || line.startsWith('ERROR'));
}

/** Runs a program beside the generated client; returns what it prints as JSON. */
export async function runPython(modules: string, program: string, folder: string, words: string[]): Promise<unknown> {
  const { stdout } = await python(modules, ['-c', program, ...words], folder);
  return JSON.parse(stdout);
}

function python(modules: string, words: string[], folder?: string) {
  return run('python3', words, { cwd: folder, env: { ...process.env, PYTHONPATH: modules } });
}
