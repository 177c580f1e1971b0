import { expect } from 'vitest';
import type { World } from './cli-world.js';

/** Runs a command that must succeed. @returns its parsed output, or undefined if the output is empty */
export async function jsonOf(world: World, args: string[]) {
  const { code, stdout, stderr } = await world.healthctl(args);
  expect({ code, stderr: code === 0 ? '' : stderr }, args.join(' ')).toEqual({ code: 0, stderr: '' });
  return stdout === '' ? undefined : JSON.parse(stdout);
}

/** Runs a command that must fail. @returns its exit code and the members of its error */
export async function rejectionOf(world: World, args: string[]) {
  const { code, stdout, stderr } = await world.healthctl(args);
  expect({ failed: code !== 0, stdout }, args.join(' ')).toEqual({ failed: true, stdout: '' });
  return { exit: code, ...JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '') };
}

/** Parses the JSON lines of a command's output. */
export function jsonLines(text: string) {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}
