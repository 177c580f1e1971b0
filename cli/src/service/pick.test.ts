import { expect, test } from 'vitest';
import { Cli } from '../cli.js';
import { Interrupt } from '../interrupt.js';
import { type PickOptions, pickId } from './pick.js';

const KEYS = [
  { id: 'a1b2c3d4-0000-4000-8000-000000000001', label: 'Backend sk-…77f0', names: ['Backend'], mark: '77f0' },
  { id: 'a1b2ffff-0000-4000-8000-000000000002', label: 'Reports sk-…0c9e', names: ['Reports'], mark: '0c9e' },
  { id: '0c9e5555-0000-4000-8000-000000000003', label: 'Abandoned sk-…1111', names: ['a'], mark: '1111' },
] as const;
const RUNS = [
  { id: 'xml_3f0c1111-0000-4000-8000-000000000004', label: 'apple xml_import success' },
  { id: 'sdk_9a9a2222-0000-4000-8000-000000000005', label: 'apple sdk success' },
];

/** healthctl without a terminal. */
function script(): Cli {
  return new Cli({ input: false }, new Interrupt());
}

const key = (text: string, options?: PickOptions, cli = script()) => pickId(cli, 'key', text, KEYS, options);
const run = (text: string) => pickId(script(), 'run', text, RUNS);

test('prefers a complete name or ID to a prefix', async () => {
  expect(await key('a', { withoutPrompt: true })).toBe(KEYS[2].id);
  expect(await key('BACKEND', { withoutPrompt: true })).toBe(KEYS[0].id);
  expect(await key(KEYS[0].id, { withoutPrompt: true })).toBe(KEYS[0].id);
});

test('rejects a prefix of fewer than four characters', async () => {
  await expect(key('0c9')).rejects.toMatchObject({
    code: 'id_too_short',
    exitCode: 2,
    hint: expect.stringContaining(KEYS[2].id),
  });
  for (const text of ['xml_', 'xml_3f0', '3f0'])
    await expect(run(text)).rejects.toMatchObject({ code: 'id_too_short' });
  expect(await run('xml_3f0c')).toBe(RUNS[0]?.id);
  expect(await run('9a9a')).toBe(RUNS[1]?.id);
  await expect(run('b')).rejects.toMatchObject({ code: 'not_found', exitCode: 1 });
});

test('lists all matching ids for an ambiguous prefix', async () => {
  const rejection = await key('a1b2').catch((error: unknown) => error);
  expect(rejection).toMatchObject({ code: 'ambiguous', exitCode: 2 });
  for (const { id } of KEYS.slice(0, 2)) expect(rejection).toMatchObject({ hint: expect.stringContaining(id) });
});

test('matches the last four characters of a key like a prefix', async () => {
  expect(await key('77f0')).toBe(KEYS[0].id);
  await expect(key('0c9e')).rejects.toMatchObject({ code: 'ambiguous' });
});

test('accepts id prefixes for reads in scripts, never for writes', async () => {
  const cli = script();
  expect(await key('a1b2c', {}, cli)).toBe(KEYS[0].id);
  const rejection = expect.objectContaining({ code: 'whole_id_needed', hint: expect.stringContaining(KEYS[0].id) });
  expect(() => cli.checkChange()).toThrow(rejection);
  await expect(key('a1b2c', { withoutPrompt: true })).rejects.toMatchObject({ code: 'whole_id_needed', exitCode: 2 });
});
