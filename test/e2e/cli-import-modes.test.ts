import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { energyAt, modesExport, recordAt } from '../api/import-modes-xml.js';
import { jsonOf } from './cli-responses.js';
import { startWorld, type World } from './cli-world.js';

const LATER = '2026-03-01T12:00:00Z';
const at = (month: number, minute: number) => new Date(Date.UTC(2026, month - 1, 5, 7, 0, minute * 60)).toISOString();
const PIECES = [0, 20, 40].map((second) => energyAt(at(1, second / 60), 20, 10));
/** The phone's data: a workout in pieces, and steps that were deleted later. */
const OLD = modesExport([...PIECES, recordAt(at(2, 1)), recordAt(at(2, 2))], LATER);
/** The same workout as one item, one of the old steps, and new steps. */
const NEW = modesExport([energyAt(at(1, 0), 60, 28.5), recordAt(at(2, 2)), recordAt(at(2, 3))], LATER);
const CHANGES = { energy: { '2026-01': { new: 1, gone: 3 } }, steps: { '2026-02': { new: 1, gone: 1 } } };

let world: World;
let older: string;
let newer: string;
beforeAll(async () => {
  world = await startWorld();
  [older, newer] = [join(world.folder, 'older.xml'), join(world.folder, 'newer.xml')];
  await writeFile(older, OLD);
  await writeFile(newer, NEW);
});
afterAll(() => world?.stop());

const json = (...args: string[]) => jsonOf(world, args);

/** Creates a user with the older file's data. */
async function importedUser(): Promise<string> {
  const { id } = await json('users', 'create');
  expect((await world.healthctl(['import', older, '--user', id])).code).toBe(0);
  return id;
}

/** Returns stored values by series. */
async function stored(user: string): Promise<Record<string, number[]>> {
  const range = ['--from', '2026-01-01', '--to', '2026-04-01'];
  const rows: { type: string; value: number }[] = await json(
    'data',
    'timeseries',
    '--types',
    'energy,steps',
    '--user',
    user,
    ...range,
  );
  const values: Record<string, number[]> = { energy: [], steps: [] };
  for (const { type, value } of rows) values[type]?.push(value);
  return values;
}
const BEFORE = { energy: [10, 10, 10], steps: [10, 10] };
const AFTER = { energy: [28.5], steps: [10, 10] };

/** Returns a handler that types the answer after the question appears. */
function answering(question: string, answer: string) {
  let typed = false;
  return (shown: string, child: { stdin: NodeJS.WritableStream | null }) => {
    if (typed || !shown.includes(question)) return;
    typed = true;
    child.stdin?.write(`${answer}\r`);
  };
}

test('prints one JSON document for a piped dry run', async () => {
  const user = await importedUser();
  const tried = await json('import', newer, '--user', user, '--replace', '--dry-run', '--json');
  expect(tried).toMatchObject({
    event: 'result',
    status: 'success',
    inserted: 2,
    gone: 4,
    changes: { energy: { '2026-01': { new: 1, changed: 0, gone: 3 } }, steps: { '2026-02': { new: 1, gone: 1 } } },
    metadata: { dry_run: true, mode: 'replace', report: { changes: CHANGES } },
  });
  expect(await stored(user)).toEqual(BEFORE);
  const confirmed = await world.healthctl(['runs', 'confirm', tried.run_id]);
  expect(confirmed.code, confirmed.stderr).toBe(0);
  const events = confirmed.stdout.trimEnd().split('\n');
  expect(JSON.parse(events.at(-1) ?? '')).toMatchObject({
    event: 'result',
    status: 'success',
    metadata: { confirms: tried.run_id, dry_run: false, report: { gone: 4, changes: CHANGES } },
  });
  expect(await stored(user)).toEqual(AFTER);
  const again = await world.healthctl(['runs', 'confirm', tried.run_id]);
  expect([again.code, JSON.parse(again.stderr.split('\n').at(-2) ?? '').code]).toEqual([1, 'conflict']);
});

test("prints a dry run's steps as NDJSON without removing data", async () => {
  const user = await importedUser();
  const { stdout } = await world.healthctl(['import', newer, '--user', user, '--dry-run', '--output', 'ndjson']);
  const events: { event: string; gone?: number }[] = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events.map(({ event }) => event)).toContain('accepted');
  expect(events.at(-1)).toMatchObject({ event: 'result', gone: 0 });
});

test('shows a table and the import command after a terminal dry run', async () => {
  const user = await importedUser();
  const args = ['import', newer, '--user', user, '--replace', '--dry-run', '--color', 'off'];
  const { code, stdout } = await world.onTerminal(args);
  expect(code, stdout).toBe(0);
  expect(stdout).toMatch(/Would be +2 new, 0 changed, 4 removed/);
  expect(stdout).toMatch(
    /Series +Month +New +Changed +Removed\r?\nenergy +2026-01 +1 +0 +3\r?\nsteps +2026-02 +1 +0 +1\r?\n/,
  );
  const [, command = ''] = /Nothing was stored\. To import it: healthctl (runs confirm \S+)\r?\n$/.exec(stdout) ?? [];
  expect(await stored(user)).toEqual(BEFORE);
  const confirmed = await world.onTerminal([...command.split(' '), '--color', 'off']);
  expect(confirmed.code, confirmed.stdout).toBe(0);
  expect(confirmed.stdout).toMatch(/Changes +2 new, 0 changed, 4 removed/);
  expect(await stored(user)).toEqual(AFTER);
});

test('rejects a replacement without a terminal unless --yes is passed', async () => {
  const user = await importedUser();
  const rejected = await world.healthctl(['import', newer, '--user', user, '--replace']);
  expect(rejected.code).toBe(2);
  const failure = JSON.parse(rejected.stderr);
  expect(failure).toMatchObject({ code: 'input_needed', hint: expect.stringContaining('--yes') });
  expect(JSON.parse(rejected.stdout)).toMatchObject({ event: 'result', run_id: null, error: { code: 'input_needed' } });
  expect(await json('runs', 'list', '--user', user)).toHaveLength(1);
  const done = await world.healthctl(['import', newer, '--user', user, '--replace', '--yes']);
  expect(done.code, done.stderr).toBe(0);
  expect(JSON.parse(done.stdout.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ status: 'success', gone: 4 });
  expect(await stored(user)).toEqual(AFTER);
});

test('confirms a replacement on a terminal after showing the losses', async () => {
  const user = await importedUser();
  const args = ['import', newer, '--user', user, '--replace', '--color', 'off'];
  const unsure = await world.onTerminal(args, { watch: answering('Type replace', 'no') });
  expect(unsure.code).toBe(1);
  expect(unsure.stdout).toMatch(/energy +2026-01 +1 +0 +3/);
  expect(unsure.stdout).toContain('Nothing was changed.');
  expect(await stored(user)).toEqual(BEFORE);
  const sure = await world.onTerminal(args, { watch: answering('Type replace', 'replace') });
  expect(sure.code, sure.stdout).toBe(0);
  expect(sure.stdout).toMatch(/Changes +2 new, 0 changed, 4 removed/);
  expect(await stored(user)).toEqual(AFTER);
  // Importing the same file again removes nothing, so the command does not prompt.
  const again = await world.onTerminal(args);
  expect(again.code, again.stdout).toBe(0);
  expect(again.stdout).not.toContain('Type replace');
});

test('exits with 3 without replacing data if the file is truncated', async () => {
  const user = await importedUser();
  const cut = join(world.folder, 'cut.xml');
  await writeFile(cut, NEW.replace('</HealthData>', '<Record'));
  const { code, stdout } = await world.healthctl(['import', cut, '--user', user, '--replace', '--yes']);
  expect(code).toBe(3);
  const result = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
  expect(result).toMatchObject({ gone: 0, metadata: { reason: 'truncated' } });
});
