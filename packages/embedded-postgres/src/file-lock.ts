/// <reference path="./fs-native-extensions.d.ts" />
import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { EmbeddedDatabaseError } from './errors.js';
import { currentHolder, type LockHolder, parseHolder } from './lock-holder.js';

/**
 * A kernel lock on an open file. It works across process namespaces, where process ids differ, and ends with the last
 * process that has the descriptor, however that process ends.
 */
export interface FileLock {
  /** Descriptor for a child process, which then holds the lock as well. */
  fd: number;
  /** Closes this process's descriptor. Children that inherited it still hold the lock. Safe to call twice. */
  release(): void;
}

/**
 * Locks this file. Returns undefined if another process holds the lock. The file is never removed, because otherwise
 * two processes could lock two files of the same name.
 * @throws EmbeddedDatabaseError `platform_unsupported`, `data_directory_unreachable` if files cannot be locked
 */
export async function tryFileLock(path: string, command?: LockHolder['command']): Promise<FileLock | undefined> {
  const tryLock = await nativeLock();
  const fd = open(path);
  let granted = false;
  try {
    granted = tryLock(fd);
  } catch (cause) {
    throw unreachable(`Cannot lock ${path} (${codeOf(cause)}): its file system does not support locks`, cause);
  } finally {
    if (!granted) closeSync(fd);
  }
  if (!granted) return undefined;
  describeHolder(fd, currentHolder(command));
  let isOpen = true;
  return {
    fd,
    release() {
      if (isOpen) closeSync(fd);
      isOpen = false;
    },
  };
}

/** Returns the last holder of this lock; undefined if unknown. */
export function lockHolder(path: string): LockHolder | undefined {
  try {
    return parseHolder(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

function open(path: string): number {
  try {
    return openSync(path, 'a', 0o600);
  } catch (cause) {
    throw unreachable(`Cannot open ${path} (${codeOf(cause)})`, cause);
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

function unreachable(problem: string, cause: unknown): EmbeddedDatabaseError {
  const message = `${problem}. Set DATA_DIR to a directory on a local disk that the healthd user owns.`;
  return new EmbeddedDatabaseError('data_directory_unreachable', message, { cause });
}

async function nativeLock(): Promise<(fd: number) => boolean> {
  try {
    return (await import('fs-native-extensions')).tryLock;
  } catch (cause) {
    throw new EmbeddedDatabaseError(
      'platform_unsupported',
      `Cannot lock the data directory on ${process.platform} ${process.arch}, because ` +
        'the package fs-native-extensions does not load. Set DATABASE_URL to use another Postgres.',
      { cause },
    );
  }
}

function describeHolder(fd: number, holder: LockHolder): void {
  try {
    ftruncateSync(fd);
    writeSync(fd, JSON.stringify(holder));
  } catch {
    // On a full disk the lock still holds; the file only describes its holder.
  }
}
