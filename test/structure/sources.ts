import { readdir, readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

/** A source file: its path from the root, and its text with comments replaced by blanks. */
export interface SourceFile {
  path: string;
  code: string;
}

/** Returns the TypeScript files of a folder, without tests. */
export async function readSources(folder: string): Promise<SourceFile[]> {
  const entries = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && /(?<!\.test)\.tsx?$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .filter((path) => !/(^|\/)(dist|node_modules)\//.test(path))
    .sort();
  return Promise.all(files.map(async (path) => sourceFile(path, await readFile(join(ROOT, path), 'utf8'))));
}

export function sourceFile(path: string, text: string): SourceFile {
  const blank = (comment: string) => comment.replace(/[^\n]/g, ' ');
  return { path, code: text.replace(/^[ \t]*\/\*[\s\S]*?\*\//gm, blank).replace(/(^|\s)\/\/ .*$/gm, blank) };
}

/** Returns the locations of a pattern as `path:line`. The pattern needs the flag `g`. */
export function placesOf(sources: readonly SourceFile[], pattern: RegExp): string[] {
  return sources.flatMap(({ path, code }) =>
    [...code.matchAll(pattern)].map(({ index }) => `${path}:${code.slice(0, index).split('\n').length}`),
  );
}
