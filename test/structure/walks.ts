import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

/** Where names of docs/architecture.md that begin with a folder begin. */
const BASES = ['daemon/src', 'daemon/src/store', 'packages', 'packages/providers/src'];

/** A file that one item passes, with the number of its lines. */
export interface WalkedFile {
  path: string;
  lines: number;
  /** Whether the document marks it as one that handles a sample of a known source. */
  isMarked: boolean;
}

/** The section of a document below a heading. */
export function section(document: string, heading: string): string {
  const from = document.indexOf(`## ${heading}\n`);
  if (from < 0) throw new Error(`the document has no heading '${heading}'`);
  const to = document.indexOf('\n## ', from);
  return document.slice(from, to < 0 ? undefined : to);
}

/**
 * The files that a text names, in its order. A name without a folder is in the folder of the last file before it where there
 * is such a file, or in the one above.
 * @throws Error for a name that is no file
 */
export function filesNamed(text: string): WalkedFile[] {
  const found: WalkedFile[] = [];
  for (const [, name = '', mark] of text.matchAll(/`([^`\s]+\.ts)`( ●)?/g)) {
    const folders = found.toReversed().flatMap(({ path }) => [dirname(path), dirname(dirname(path))]);
    const path = (name.includes('/') ? [...BASES, ...folders] : folders)
      .map((folder) => join(folder, name))
      .find((candidate) => existsSync(join(ROOT, candidate)));
    if (path === undefined) throw new Error(`no file '${name}'`);
    found.push({ path, lines: linesOf(path), isMarked: mark !== undefined });
  }
  return found;
}

/** As `wc -l` counts. */
function linesOf(path: string): number {
  return readFileSync(join(ROOT, path), 'utf8').split('\n').length - 1;
}

/** Of an even number of files the mean of the middle two. */
export function medianLines(files: readonly Pick<WalkedFile, 'lines'>[]): number {
  const lines = files.map((file) => file.lines).sort((a, b) => a - b);
  const [low, high] = [lines[(lines.length - 1) >> 1], lines[lines.length >> 1]];
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
}
