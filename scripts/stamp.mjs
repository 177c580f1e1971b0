// Detects whether files have changed since a task was last done.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from './checkout.mjs';

const IGNORED = new Set(['node_modules', 'dist', '.git', '.types', '.healthd']);

/** Returns these files and all files below these folders. Skips missing files and folders. */
export function filesBelow(paths) {
  return paths.flatMap((path) => {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return [];
    if (found.isFile()) return [path];
    const names = readdirSync(path).filter((name) => !IGNORED.has(name));
    return filesBelow(names.sort().map((name) => join(path, name)));
  });
}

/** Returns a digest that changes when a file is added, removed or modified. */
export function contentDigest(files) {
  const digest = createHash('sha256');
  for (const file of files)
    digest
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  return digest.digest('hex');
}

/** True if the stamp contains this digest. */
export function isStamped(stamp, digest) {
  try {
    return readFileSync(stamp, 'utf8') === digest;
  } catch {
    return false;
  }
}

export function writeStamp(stamp, digest) {
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, digest);
}

export function removeStamp(stamp) {
  rmSync(stamp, { force: true });
}
