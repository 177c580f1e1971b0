import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Argument, Command, Option } from 'commander';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { Cli } from './cli.js';
import { Interrupt } from './interrupt.js';
import { buildProgram } from './program.js';

/** Commands that write no records, or that always write complete events. */
const WITHOUT_FIELDS = new Set([
  'context use',
  'context add',
  'context remove',
  'developers password',
  'logout',
  'tokens revoke',
  'api',
  'import',
  'logs tail',
  'push',
  'runs confirm',
  'runs retry',
  'runs watch',
  'sync historical',
  'sync run',
  'sync watch',
  'sync workouts',
]);
/** Commands without `--json`, and commands whose fields depend on the vendor's response. */
const NOT_CHECKED = new Set(['completion', '__complete', 'help', 'mcp', 'subscribers list', 'subscribers show']);

const ID = '00000000-0000-4000-8000-000000000001';
const VALUES: Readonly<Record<string, string>> = {
  method: 'delete',
  path: '/users',
  provider: 'google',
  providers: 'google',
  priorities: 'google=1',
  date: '2026-01-31',
  address: 'https://health.example.org',
  types: 'steps',
};

interface Leaf {
  name: string;
  line: string[];
}

/** Returns every command with a value for each required argument and option. */
function leavesOf(command: Command, words: readonly string[] = []): Leaf[] {
  const inside = command.commands.flatMap((child) => leavesOf(child, [...words, child.name()]));
  if (words.length === 0 || command.commands.length > 0) return inside;
  const options = command.options.filter(({ mandatory }) => mandatory);
  return [
    {
      name: words.join(' '),
      line: [
        ...words,
        ...command.registeredArguments.map((argument) => valueFor(argument, argument.name())),
        ...options.flatMap((option) => [option.long ?? '', valueFor(option, option.attributeName())]),
      ],
    },
  ];
}

function valueFor({ argChoices }: Argument | Option, name: string): string {
  return argChoices?.[0] ?? VALUES[name] ?? ID;
}

const LEAVES = leavesOf(await buildProgram(new Interrupt()));

let server: Server;
let requests: string[];
beforeAll(async () => {
  server = createServer(({ method, url }, response) => {
    requests.push(`${method} ${url}`);
    response.writeHead(500).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
});
afterAll(() => void server.close());
beforeEach(() => {
  requests = [];
  vi.stubEnv('HEALTHCTL_URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  vi.stubEnv('HEALTHCTL_TOKEN', 'token-of-a-developer');
  vi.stubEnv('XDG_CONFIG_HOME', join(tmpdir(), 'healthctl-without-a-profile'));
});
afterEach(() => void vi.unstubAllEnvs());

/** Runs a command line that must fail. */
async function failureOf(line: readonly string[]): Promise<unknown> {
  const argv = ['node', 'healthctl', ...line, '--no-input'];
  const program = await buildProgram(new Interrupt(), argv);
  return program.parseAsync(argv).then(
    () => expect.fail(`${line.join(' ')} succeeded`),
    (error: unknown) => error,
  );
}

test.each(LEAVES.filter(({ name }) => !NOT_CHECKED.has(name)))(
  '$name sends nothing if --json names an unknown field',
  async ({ name, line }) => {
    const failure = await failureOf([...line, '--json', 'no_such_field']);
    expect(requests).toEqual([]);
    expect(failure).toMatchObject({
      code: 'unknown_field',
      exitCode: 2,
      hint: expect.stringContaining(WITHOUT_FIELDS.has(name) ? 'has no fields' : 'Fields: '),
    });
  },
);

test('lists only existing commands as exceptions', () => {
  const names = LEAVES.map(({ name }) => name);
  expect([...WITHOUT_FIELDS, ...NOT_CHECKED].filter((name) => !names.includes(name))).toEqual([]);
});

test('sends nothing if the --jq program is invalid', async () => {
  const failure = await failureOf(['users', 'delete', ID, '--yes', '--jq', '.[']);
  expect(requests).toEqual([]);
  expect(failure).toMatchObject({ code: 'jq_invalid', exitCode: 2 });
});

test('rejects --json fields for a command without declared fields', () => {
  const cli = new Cli({ json: 'id' }, new Interrupt());
  expect(() => cli.checkChange()).toThrow(expect.objectContaining({ code: 'unknown_field' }));
  cli.willWrite({ fields: ['id'] });
  expect(() => cli.checkChange()).not.toThrow();
  expect(() => new Cli({ json: true }, new Interrupt()).checkChange()).not.toThrow();
});
