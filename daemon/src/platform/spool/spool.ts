import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** A file in the spool. */
interface SpooledFile {
  name: string;
  modifiedAt: Date;
}

/** Undefined when the file has gone since the folder was read. */
async function fileOf(name: string, path: string): Promise<SpooledFile | undefined> {
  try {
    return { name, modifiedAt: (await stat(path)).mtime };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Large pieces: a hash of many small ones takes longer than the reading. */
const HASHED_AT_ONCE = 1024 * 1024;

/** SHA-256 of a file; undefined when it is not there. */
async function fileHash(path: string, signal: AbortSignal | undefined): Promise<Buffer | undefined> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!file) return undefined;
  try {
    const hash = createHash('sha256');
    // One buffer for the whole file: a new one for each piece made V8 look for garbage every 20 MB.
    const piece = Buffer.allocUnsafeSlow(HASHED_AT_ONCE);
    for (;;) {
      signal?.throwIfAborted();
      const { bytesRead } = await file.read(piece, 0, piece.length, null);
      if (bytesRead === 0) return hash.digest();
      hash.update(piece.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}

/** What a file is: an upload that waits for its import, or a delivery of a vendor that waits to be read. */
type SpoolKind = 'import' | 'delivery';

const UUID = '[0-9a-f-]{36}';

/**
 * The folder where received files of one kind wait. All daemons of one installation share it. Names are made by the
 * service: nothing that a client sends becomes part of a path.
 */
export interface Spool {
  /** Name of the file of one import or delivery. */
  nameOf(id: string): string;
  pathOf(name: string): string;
  /** Creates a new, empty file that only the service may read. */
  create(name: string): Promise<FileHandle>;
  /** Whether a file is there. */
  has(name: string): Promise<boolean>;
  /** SHA-256 of a file's bytes as they are on the disk now; undefined when it is not there. */
  hash(name: string, signal?: AbortSignal): Promise<Buffer | undefined>;
  /** Makes new names in the folder survive a power cut. */
  sync(): Promise<void>;
  /** Removes a file; one that is not there is fine. */
  remove(name: string): Promise<void>;
  /** Files that the service has put there; anything else in the folder is left alone. */
  list(): Promise<SpooledFile[]>;
}

/** Opens the spool for one kind of files and creates its folder where needed. */
export async function openSpool(folder: string, kind: SpoolKind): Promise<Spool> {
  const named = new RegExp(`^${kind}-${UUID}$`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const pathOf = (name: string): string => {
    if (!named.test(name)) throw new TypeError('not a name of the spool');
    return join(folder, name);
  };
  return {
    nameOf: (id) => `${kind}-${id}`,
    pathOf,
    create: (name) => open(pathOf(name), 'wx', 0o600),
    has: async (name) => (await fileOf(name, pathOf(name))) !== undefined,
    hash: (name, signal) => fileHash(pathOf(name), signal),
    remove: (name) => rm(pathOf(name), { force: true }),
    async sync() {
      const handle = await open(folder, 'r');
      try {
        await handle.sync();
      } finally {
        await handle.close();
      }
    },
    async list() {
      const names = (await readdir(folder)).filter((name) => named.test(name));
      const found = await Promise.all(names.map((name) => fileOf(name, pathOf(name))));
      return found.filter((file) => file !== undefined);
    },
  };
}
