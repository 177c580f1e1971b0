import { listSyncRuns } from '@healthd/contract';
import type { Cli } from '../cli.js';
import { Reference } from '../commands/reference.js';
import { type Choice, pickId } from './pick.js';
import { pickUserId } from './pick-user.js';

/** Number of newest runs that a prefix can match. Older runs need a whole id. */
const MAX_RUNS = 10_000;

/** Replaces references in a command's arguments and options with ids. */
export async function withIds(cli: Cli, input: readonly unknown[]): Promise<unknown[]> {
  const withoutPrompt = input.some((value) => isOptions(value) && value.yes === true);
  const resolved: unknown[] = [];
  for (const value of input)
    resolved.push(
      isOptions(value) ? await optionsWithIds(cli, value, withoutPrompt) : await idOf(cli, value, withoutPrompt),
    );
  return resolved;
}

function isOptions(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

async function optionsWithIds(
  cli: Cli,
  options: Record<string, unknown>,
  withoutPrompt: boolean,
): Promise<Record<string, unknown>> {
  const entries: [string, unknown][] = [];
  for (const [name, value] of Object.entries(options)) entries.push([name, await idOf(cli, value, withoutPrompt)]);
  return Object.fromEntries(entries);
}

async function idOf(cli: Cli, value: unknown, withoutPrompt: boolean): Promise<unknown> {
  if (!(value instanceof Reference)) return value;
  return value.kind === 'user'
    ? pickUserId(cli, value.text, withoutPrompt)
    : pickId(cli, 'run', value.text, await recentRuns(cli), { withoutPrompt });
}

async function recentRuns(cli: Cli): Promise<Choice[]> {
  const client = await cli.client();
  const runs = await client.call(listSyncRuns, { query: { limit: MAX_RUNS }, signal: cli.signal });
  return runs.map(({ run_id, provider, source, status }) => ({ id: run_id, label: `${provider} ${source} ${status}` }));
}
