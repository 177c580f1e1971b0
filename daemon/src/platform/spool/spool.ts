import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

interface SpooledFile {
  name: string;
  modifiedAt: Date;
}

/** Returns a file's name and time; undefined if it was deleted after the folder was read. */
async function fileOf(name: string, path: string): Promise<SpooledFile | undefined> {
  try {
    return { name, modifiedAt: (await stat(path)).mtime };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Number of bytes per read. Hashing many small chunks takes longer than reading them. */
const HASHED_AT_ONCE = 1024 * 1024;

/** Returns a file's SHA-256; undefined if the file does not exist. */
async function fileHash(path: string, signal: AbortSignal | undefined): Promise<Buffer | undefined> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!file) return undefined;
  try {
    const hash = createHash('sha256');
    // Uses one buffer for the whole file. With a new buffer per chunk, V8 collected garbage every 20 MB.
    const chunk = Buffer.allocUnsafeSlow(HASHED_AT_ONCE);
    for (;;) {
      signal?.throwIfAborted();
      const { bytesRead } = await file.read(chunk, 0, chunk.length, null);
      if (bytesRead === 0) return hash.digest();
      hash.update(chunk.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}

/** Maximum number of remembered hashes. A file without a remembered hash is read again. */
const MAX_REMEMBERED = 1000;

/**
 * Hashes of files that this process wrote, so that checking a file does not read it again. Contains no hash of a file
 * that changed since then, has another inode, or was written by another process.
 */
class WrittenHashes {
  readonly #hashes = new Map<string, { hash: Buffer; state: string }>();

  async remember(path: string, hash: Buffer): Promise<void> {
    const state = await stateOf(path);
    if (state === undefined) return;
    this.#hashes.set(path, { hash, state });
    for (const oldest of this.#hashes.keys()) {
      if (this.#hashes.size <= MAX_REMEMBERED) break;
      this.#hashes.delete(oldest);
    }
  }

  /** Returns the hash of an unchanged file once, so that a retry reads the disk. */
  async take(path: string): Promise<Buffer | undefined> {
    const written = this.#hashes.get(path);
    if (!written) return undefined;
    this.#hashes.delete(path);
    return (await stateOf(path)) === written.state ? written.hash : undefined;
  }

  forget(path: string): void {
    this.#hashes.delete(path);
  }
}

/** Returns inode, size and times of a file; undefined if it does not exist. */
async function stateOf(path: string): Promise<string | undefined> {
  const found = await stat(path, { bigint: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return found && [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join();
}

/** Type of a file: an upload that waits for its import, or a vendor's delivery that waits for processing. */
type SpoolKind = 'import' | 'delivery';

const UUID = '[0-9a-f-]{36}';

/**
 * The folder of received files of one type, which all daemons of an installation share. The service creates the names:
 * client input never becomes part of a path.
 */
export interface Spool {
  /** Returns the file name of an import or delivery. */
  nameOf(id: string): string;
  pathOf(name: string): string;
  /** Creates a new, empty file that only the service may read. */
  create(name: string): Promise<FileHandle>;
  /** True if the file exists. */
  has(name: string): Promise<boolean>;
  /** Remembers the SHA-256 of a file that this process has just written completely. */
  remember(name: string, sha256: Buffer): Promise<void>;
  /**
   * Returns the SHA-256 of a file's current bytes; undefined if it does not exist. Reads the file, except at the first
   * call after `remember` if the file has not changed.
   */
  hash(name: string, signal?: AbortSignal): Promise<Buffer | undefined>;
  /** Syncs the folder, so that new files survive a crash. */
  sync(): Promise<void>;
  /** Removes a file; does nothing if it does not exist. */
  remove(name: string): Promise<void>;
  /** Lists the service's own files; ignores anything else in the folder. */
  list(): Promise<SpooledFile[]>;
}

/** Opens the spool for one type of file and creates its folder if needed. */
export async function openSpool(folder: string, kind: SpoolKind): Promise<Spool> {
  const named = new RegExp(`^${kind}-${UUID}$`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const pathOf = (name: string): string => {
    if (!named.test(name)) throw new TypeError('not a spool file name');
    return join(folder, name);
  };
  const written = new WrittenHashes();
  return {
    nameOf: (id) => `${kind}-${id}`,
    pathOf,
    create: (name) => open(pathOf(name), 'wx', 0o600),
    has: async (name) => (await fileOf(name, pathOf(name))) !== undefined,
    remember: (name, sha256) => written.remember(pathOf(name), sha256),
    hash: async (name, signal) => (await written.take(pathOf(name))) ?? fileHash(pathOf(name), signal),
    remove(name) {
      written.forget(pathOf(name));
      return rm(pathOf(name), { force: true });
    },
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
