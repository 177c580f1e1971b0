import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './documents.js';

const ENTRIES = { healthd: 'daemon/dist/main.js', healthctl: 'cli/dist/main.js' };
export type Program = keyof typeof ENTRIES;

const known = new Map<string, string>();

/** Returns the help text of a built program or of one of its commands. */
export function helpOf(program: Program, command: readonly string[] = []): string {
  const key = [program, ...command].join(' ');
  const text =
    known.get(key) ??
    execFileSync(process.execPath, [join(ROOT, ENTRIES[program]), ...command, '--help'], { encoding: 'utf8' });
  known.set(key, text);
  return text;
}

/** Returns the service's settings by name, with the default that help shows. */
export function settings(): Map<string, string> {
  const entries = helpOf('healthd').matchAll(/^ {2}([A-Z][A-Z_]+)\n.*\n +Default: (.*)$/gm);
  return new Map([...entries].map(([, name = '', fallback = '']) => [name, fallback]));
}
