import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, type FileHandle, lstat, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { BackupError } from './failure.js';

/** A file that gets its final name only when it is complete and on disk. */
export interface OutputFile {
  /** Writes a complete stream. */
  write(bytes: AsyncIterable<unknown>): Promise<void>;
  /** Syncs the file and renames it to its final name. @throws BackupError `file_exists` */
  publish(): Promise<void>;
  /** Deletes the draft. */
  discard(): Promise<void>;
}

/**
 * Checks that a file can be created, before any expensive work.
 * @throws BackupError `file_exists`, `not_written`
 */
export async function checkTarget(file: string): Promise<void> {
  const path = resolve(file);
  await rejectExisting(path);
  try {
    if (!(await stat(dirname(path))).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' });
    await access(dirname(path), constants.W_OK | constants.X_OK);
  } catch (error) {
    throw notWritten(path, error);
  }
}

export function notWritten(path: string, error: unknown): BackupError {
  const code = (error as { code?: unknown } | null)?.code;
  const reason = typeof code === 'string' ? ` (${code})` : '';
  return new BackupError(
    'not_written',
    `${path} cannot be written${reason}. Check that the folder exists and has free space.`,
    error,
  );
}

/**
 * Creates a file that only its owner may read. Its draft is always a new file: an existing file or symbolic link with a
 * similar name is never written through.
 * @throws BackupError `file_exists`, or the error of the file system
 */
export async function openOutputFile(path: string): Promise<OutputFile> {
  await rejectExisting(path);
  const draft = `${path}.${randomBytes(6).toString('hex')}.part`;
  const { O_CREAT, O_EXCL, O_WRONLY, O_NOFOLLOW } = constants;
  const handle = await open(draft, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, 0o600);
  await handle.chmod(0o600);
  return {
    write: (bytes) => writeAll(handle, bytes),
    async publish() {
      await handle.sync();
      await handle.close();
      await rejectExisting(path);
      await rename(draft, path);
      await syncFolder(dirname(path));
    },
    async discard() {
      await handle.close().catch(() => undefined);
      await rm(draft).catch(() => undefined);
    },
  };
}

async function writeAll(handle: FileHandle, bytes: AsyncIterable<unknown>): Promise<void> {
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    // One call may write only a part of the chunk, especially if the disk is almost full.
    for (let at = 0; at < chunk.length; ) at += (await handle.write(chunk, at)).bytesWritten;
  }
}

/** Rejects an existing path, even a dangling symbolic link. @throws BackupError `file_exists` */
async function rejectExisting(path: string): Promise<void> {
  if ((await lstat(path).catch(() => undefined)) === undefined) return;
  throw new BackupError('file_exists', `${path} already exists. Choose another name: a backup is never overwritten.`);
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}
