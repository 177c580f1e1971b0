import { randomBytes } from 'node:crypto';
import { mkdtemp, open, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXIT } from '../exit-codes.js';
import { CliError } from '../failure.js';

const EXPORT_NAME = /\.(zip|xml|xml\.gz|(fit|gpx|tcx)(\.gz)?)$/i;

/**
 * Calls `use` with the named files and with all exports in the named folders. For `-`, copies stdin to a temporary file
 * and deletes the file after `use`.
 * @throws CliError `no_exports` for a folder without exports
 */
export async function withExportFiles<T>(paths: readonly string[], use: (files: string[]) => Promise<T>): Promise<T> {
  const temporaryFiles: string[] = [];
  try {
    const files: string[] = [];
    for (const path of paths) {
      if (path === '-') files.push(await keepStdin(temporaryFiles));
      else files.push(...(await filesAt(path)));
    }
    return await use([...new Set(files)]);
  } finally {
    for (const folder of temporaryFiles) await rm(folder, { recursive: true, force: true });
  }
}

async function filesAt(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && EXPORT_NAME.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    // The phone also writes export_cda.xml, which contains no additional records.
    .filter((file) => !/export_cda\.xml$/i.test(file))
    .toSorted();
  if (files.length > 0) return files;
  throw new CliError(
    'no_exports',
    `${path} contains no export (.zip, .xml or .xml.gz) and no workout file (.fit, .gpx or .tcx).`,
    { exitCode: EXIT.usage },
  );
}

async function keepStdin(temporaryFiles: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'healthctl-stdin-'));
  temporaryFiles.push(folder);
  const path = join(folder, `stdin-${randomBytes(4).toString('hex')}`);
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of process.stdin) await file.appendFile(chunk as Uint8Array);
  } finally {
    await file.close();
  }
  return path;
}
