import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../..');

/** One document with its path from the root. */
export interface Document {
  path: string;
  text: string;
}

/** Returns the README and all pages in docs/ and its folders. */
export function documents(): Document[] {
  const files = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' });
  const names = files.filter((name) => name.endsWith('.md'));
  return ['README.md', ...names.map((name) => `docs/${name}`)].map((path) => ({
    path,
    text: readFileSync(join(ROOT, path), 'utf8'),
  }));
}

/** Returns the lines of code blocks and inline code. */
export function codeOf(text: string): string[] {
  const blocks = [...text.matchAll(/^```\w*\n(.*?)^```/gms)].flatMap(([, block = '']) => block.split('\n'));
  const spans = [...text.replaceAll(/^```.*?^```/gms, '').matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
  return [...blocks, ...spans];
}
