import { expect, test } from 'vitest';
import { messagesOf, type StreamMessage } from './event-stream.js';

async function messages(...texts: string[]): Promise<StreamMessage[]> {
  const encoder = new TextEncoder();
  const found: StreamMessage[] = [];
  for await (const message of messagesOf(texts.map((text) => encoder.encode(text)))) found.push(message);
  return found;
}

test('reads messages without comments from chunks of any size', async () => {
  const stream =
    ': connected\n\nid: 7\nevent: sync.status\ndata: {"a":1}\n\n: ping\n\nid: 8\ndata: two\ndata: lines\n\n';
  const expected = [
    { id: '7', event: 'sync.status', data: '{"a":1}' },
    { id: '8', data: 'two\nlines' },
  ];
  expect(await messages(stream)).toEqual(expected);
  expect(await messages(...stream)).toEqual(expected);
});

test('ignores an incomplete message', async () => {
  expect(await messages('data: whole\n\ndata: cut')).toEqual([{ data: 'whole' }]);
});
