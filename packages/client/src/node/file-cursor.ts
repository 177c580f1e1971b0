import { open, readFile, rename } from 'node:fs/promises';
import type { CursorStore } from '../feed/follow.js';

/** Stores a cursor in a file. A crash leaves the old or the new cursor, never a partial cursor. */
export function fileCursor(path: string): CursorStore {
  return {
    async load() {
      try {
        return (await readFile(path, 'utf8')).trim() || undefined;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    },
    async save(cursor) {
      const unfinished = `${path}.new`;
      const file = await open(unfinished, 'w', 0o600);
      try {
        await file.writeFile(`${cursor}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(unfinished, path);
    },
  };
}
