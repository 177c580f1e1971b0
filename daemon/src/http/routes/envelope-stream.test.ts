import { expect, it } from 'vitest';
import { StreamingResponse } from '../binding.js';
import { streamed } from './envelope-stream.js';

function page(items: number) {
  return {
    data: Array.from({ length: items }, (_, index) => ({ index, text: `{"data":[${index}` })),
    pagination: { next_cursor: 'v1.x', previous_cursor: null, has_more: true, total_count: items },
    metadata: { resolution: 'raw', sample_count: items, start_time: null, end_time: null },
  };
}

it.each([1_001, 1_500, 10_000])('sends a page of %i items in chunks that form one document', async (items) => {
  const response = streamed(page(items));
  if (!(response instanceof StreamingResponse)) throw new Error('sent in one piece');
  const pieces: (string | Uint8Array)[] = [];
  for await (const piece of response.chunks) pieces.push(piece);
  expect(pieces.length).toBeGreaterThan(2);
  expect(JSON.parse(pieces.join(''))).toEqual(page(items));
});

it('sends a small page in one chunk', () => {
  expect(streamed(page(1_000))).toEqual(page(1_000));
});
