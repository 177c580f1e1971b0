import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import openapiTS, { astToString } from 'openapi-typescript';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');
const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc');
const OPTIONS = { strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, skipLibCheck: true };

/** Creates a folder with a document's types as `./schema.js`, and with openapi-fetch. The caller removes the folder. */
export async function typescriptClientFolder(document: string): Promise<string> {
  const parentFolder = join(ROOT, '.healthd');
  await mkdir(parentFolder, { recursive: true });
  const folder = await mkdtemp(join(parentFolder, 'typescript-client-'));
  await symlink(join(ROOT, 'test/node_modules'), join(folder, 'node_modules'), 'junction');
  // Writes a source file, because the compiler does not fully check declaration files.
  await writeFile(join(folder, 'schema.ts'), astToString(await openapiTS(document)));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  const compilerOptions = { ...OPTIONS, module: 'nodenext', target: 'es2023', types: ['node'] };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  return folder;
}

/** Compiles a program with the repository's compiler. Returns the errors. */
export async function compileTypescript(folder: string, program: string): Promise<string> {
  await writeFile(join(folder, 'program.ts'), program);
  return run(process.execPath, [COMPILER, '-p', folder]).then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  );
}

/** Runs the compiled program. Returns its JSON output. */
export async function runCompiled(folder: string, words: string[]): Promise<unknown> {
  const { stdout } = await run(process.execPath, [join(folder, 'program.js'), ...words]);
  return JSON.parse(stdout);
}
