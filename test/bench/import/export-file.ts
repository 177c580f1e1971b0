import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeExport } from '@healthd/simulators';

const SEED = 7;
const OTHER_SEED = 8;
/** Outside the checkout; files in here stay with --keep only. */
const FOLDER = join(tmpdir(), 'healthd-bench-exports');

/** A generated export of about this many bytes, as XML; it is made once and used again when its file is still there. */
export function exportFile(targetBytes: number): Promise<{ path: string; bytes: number }> {
  return madeOnce(targetBytes, `export-${targetBytes}.xml`, SEED);
}

/** One of the same sources, days and size, of which hardly an item is the same. */
export function otherExportFile(targetBytes: number): Promise<{ path: string; bytes: number }> {
  return madeOnce(targetBytes, `export-${targetBytes}-other.xml`, OTHER_SEED);
}

async function madeOnce(targetBytes: number, name: string, seed: number): Promise<{ path: string; bytes: number }> {
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
