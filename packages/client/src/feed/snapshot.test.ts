import { expect, test } from 'vitest';
import { TruncatedError } from './retry.js';
import { linesOf, readSnapshot, snapshotsOf } from './snapshot.js';

const HEAD =
  '{"kind":"snapshot","user_id":"u","position":1,"cursor":"c","after":"a","digest_key":"00","key_id":"k","at":""}';
const SOURCE = '{"kind":"source","id":"s"}';
const ROW = '{"kind":"sleep","id":"n"}';

async function* texts(...lines: string[]): AsyncGenerator<string> {
  yield* lines;
}

async function readAll(...lines: string[]): Promise<string[]> {
  const ids: string[] = [];
  for await (const snapshot of snapshotsOf(texts(...lines))) {
    for await (const line of snapshot.lines) ids.push(line.id);
  }
  return ids;
}

test('returns sources and rows up to the last line', async () => {
  expect(await readAll(HEAD, SOURCE, ROW, '{"kind":"end","rows":1}')).toEqual(['s', 'n']);
});

test('returns several snapshots of one file', async () => {
  const end = '{"kind":"end","rows":1}';
  expect(await readAll(HEAD, ROW, end, HEAD, SOURCE, ROW, end)).toEqual(['n', 's', 'n']);
});

test.each([
  ['no first line', [ROW]],
  ['no last line', [HEAD, ROW]],
  ['fewer rows than its last line states', [HEAD, ROW, '{"kind":"end","rows":2}']],
  ['a second snapshot', [HEAD, HEAD]],
])('rejects a snapshot with %s', async (_, lines) => {
  await expect(readAll(...lines)).rejects.toThrow(TruncatedError);
});

test('splits bytes into lines at any boundary', async () => {
  const bytes = new TextEncoder().encode('ä\nb\n\nç');
  for (let size = 1; size <= bytes.length; size++) {
    async function* chunks() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    }
    const lines: string[] = [];
    for await (const line of linesOf(chunks())) lines.push(line);
    expect(lines).toEqual(['ä', 'b', '', 'ç']);
  }
});

test('ends a snapshot on abort even if the body never ends', async () => {
  const stop = new AbortController();
  const body = new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode(`${HEAD}\n`)) });
  const snapshot = await readSnapshot({ exportSnapshot: async () => new Response(body) }, 'u', {}, stop.signal);
  setImmediate(() => stop.abort());
  await expect(snapshot.lines.next()).rejects.toThrow('aborted');
});
