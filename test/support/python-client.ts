import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Runs a program with the generated client and returns its output. */
export async function runPython(
  modules: string,
  program: string,
  folder: string,
  words: string[],
  env: Record<string, string> = {},
): Promise<string> {
  const environment = { ...process.env, ...env, PYTHONPATH: modules };
  const { stdout } = await run('python3', ['-c', program, ...words], { cwd: folder, env: environment });
  return stdout;
}
