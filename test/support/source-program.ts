import { rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import process from 'node:process';
import { gather } from './gather.js';

const FOLDER = resolve(import.meta.dirname, '../../daemon/node_modules/.gathered-tests', String(process.pid));
const made = new Map<string, Promise<string>>();

process.once('exit', () => rmSync(FOLDER, { recursive: true, force: true }));

/**
 * Bundles a test's TypeScript program with its imported sources into a file for Node, for a child process that starts
 * often. Each test process bundles it once.
 */
export function sourceProgram(source: string): Promise<string> {
  const program = made.get(source) ?? gatherSource(source);
  made.set(source, program);
  return program;
}

async function gatherSource(source: string): Promise<string> {
  return gather(source, join(FOLDER, basename(source, '.ts')));
}
