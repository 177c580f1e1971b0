import { expect, test } from 'vitest';
import { compileJq, JqFilter } from './jq.js';

async function filtered(program: string, ...texts: string[]): Promise<string> {
  let written = '';
  const filter = new JqFilter(await compileJq(program), async (text) => {
    written += text;
  });
  for (const text of texts) await filter.take(text);
  await filter.end();
  return written;
}

test('filters a JSON list regardless of chunk boundaries', async () => {
  const text = '[\n  {"id":"a","n":1},\n  {"id":"b","n":2}\n]\n';
  expect(await filtered('.[].id', text)).toBe('a\nb\n');
  expect(await filtered('map(.n) | add', ...text)).toBe('3\n');
  expect(await filtered('[.[] | select(.n > 1)] | length', text)).toBe('1\n');
});

test('prints strings without quotes', async () => {
  expect(await filtered('.email', '{\n  "email": "a@x"\n}\n')).toBe('a@x\n');
});

test('prints a filtered object as JSON', async () => {
  expect(await filtered('{e: .email}', '{\n  "email": "a@x"\n}\n')).toBe('{"e":"a@x"}\n');
});

test('filters each line of a stream immediately', async () => {
  let written = '';
  const filter = new JqFilter(await compileJq('select(.event == "result") | .status'), async (text) => {
    written += text;
  });
  await filter.take('{"event":"progress"}\n{"event":"result","status":"success"}\n');
  expect(written).toBe('success\n');
});

test("replaces the parser's message only for an incomplete --jq program", async () => {
  for (const text of ['.[', 'map(', '"a'])
    await expect(compileJq(text)).rejects.toMatchObject({ message: '--jq: the expression is not complete' });
  await expect(compileJq('.a )')).rejects.toMatchObject({ message: expect.stringContaining('right-paren') });
});

test('rejects an invalid or inapplicable program as a usage error', async () => {
  await expect(compileJq('.[')).rejects.toMatchObject({ code: 'jq_invalid', exitCode: 2 });
  await expect(filtered('fromjson', '"no json"')).rejects.toMatchObject({ code: 'jq_failed', exitCode: 2 });
});
