import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeExport } from '@healthd/simulators';

const SEED = 7;
const OTHER_SEED = 8;
/** Folder outside of the checkout. Files are deleted after the run unless --keep is set. */
const FOLDER = join(tmpdir(), 'healthd-bench-exports');

/** Returns a generated XML export of about this size. Creates it once and reuses the file. */
export function exportFile(targetBytes: number): Promise<{ path: string; bytes: number }> {
  return createOnce(targetBytes, `export-${targetBytes}.xml`, SEED);
}

/**
 * Returns a different export with the same sources, days and size as the export of `exportFile`, but almost no equal
 * items.
 */
export function otherExportFile(targetBytes: number): Promise<{ path: string; bytes: number }> {
  return createOnce(targetBytes, `export-${targetBytes}-other.xml`, OTHER_SEED);
}

async function createOnce(targetBytes: number, name: string, seed: number): Promise<{ path: string; bytes: number }> {
  await mkdir(FOLDER, { recursive: true });
  const path = join(FOLDER, name);
  if ((await stat(path).catch(() => undefined)) === undefined) {
    const draft = `${path}.part`;
    await writeExport(draft, { targetBytes, seed, density: 'normal', timeZone: 'Europe/Warsaw' });
    await rename(draft, path);
  }
  return { path, bytes: (await stat(path)).size };
}

export async function removeExportFiles(): Promise<void> {
  await rm(FOLDER, { recursive: true, force: true });
}
