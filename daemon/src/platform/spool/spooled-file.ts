import { stat } from 'node:fs/promises';

/** A file in the spool. */
export interface SpooledFile {
  name: string;
  modifiedAt: Date;
}

/** Undefined when the file has gone since the folder was read. */
export async function fileOf(name: string, path: string): Promise<SpooledFile | undefined> {
  try {
    return { name, modifiedAt: (await stat(path)).mtime };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
