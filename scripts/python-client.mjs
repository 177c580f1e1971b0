// Generates a Python client from the OpenAPI document: `npm run python-client -- <folder>`, into a new folder.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from './build.mjs';
import { openApi } from './bundle-client.mjs';
import { main, root, say, ToolFailure } from './checkout.mjs';
import { ensureInstalled } from './install.mjs';

const run = promisify(execFile);
const REQUIREMENTS = join(import.meta.dirname, 'python-client.txt');
/** Folder for generated tools; outside version control and reused by later runs. */
const KEPT = join(root, '.healthd');

/**
 * Returns the folder with the Python client generator and its dependencies, or the reason why it is missing.
 * @returns {Promise<{ modules: string } | { missing: string }>}
 */
export async function pythonGenerator() {
  const interpreter = await run('python3', ['--version']).catch(() => undefined);
  if (!interpreter) return { missing: 'python3 not found' };
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
    return { missing: `pip cannot install what python-client.txt names: ${String(error.message).split('\n', 1)[0]}` };
  }
}

/**
 * Generates a client from a document in a new folder; returns the generator's warnings.
 * @param {string} modules of the generator
 * @param {string} document a file
 * @param {string} folder
 * @returns {Promise<string[]>}
 */
export async function generatePythonClient(modules, document, folder) {
  const config = `${folder}-config.json`;
  await writeFile(config, JSON.stringify({ post_hooks: [] }));
  const options = ['--path', document, '--meta', 'none', '--config', config, '--output-path', folder];
  const { stdout, stderr } = await python(modules, ['-m', 'openapi_python_client', 'generate', ...options]);
  await rm(config);
  await python(modules, ['-m', 'compileall', '-q', folder]);
  return (stdout + stderr).split('\n').filter((line) => line.startsWith('WARNING') || line.startsWith('ERROR'));
}

function python(modules, words) {
  return run('python3', words, { env: { ...process.env, PYTHONPATH: modules } });
}

async function makeClient(folder) {
  if (existsSync(folder)) throw new ToolFailure(`${folder} exists already.`);
  await ensureInstalled();
  await build({ everything: false });
  const generator = await pythonGenerator();
  if ('missing' in generator) throw new ToolFailure(`Cannot generate a Python client: ${generator.missing}.`);
  const drafts = await mkdtemp(join(tmpdir(), 'healthd-python-'));
  try {
    const document = join(drafts, 'openapi.json');
    await writeFile(document, JSON.stringify(await openApi()));
    for (const line of await generatePythonClient(generator.modules, document, folder)) say(line);
  } finally {
    await rm(drafts, { recursive: true, force: true });
  }
  say(`Made the Python client in ${folder}. It needs: pip install httpx attrs python-dateutil`);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(async () => {
    const [, , folder] = process.argv;
    if (!folder) throw new ToolFailure('usage: npm run python-client -- <folder>');
    await makeClient(resolve(process.env.INIT_CWD ?? '.', folder));
  });
}
