import { afterEach, describe, expect, it } from 'vitest';
import { heartRates, payload } from '../../../../test/api/push-payloads.js';
import { PushReader, PushReaderError } from './index.js';

const FAULTY = new URL('../../../../test/support/looping-readings.mjs', import.meta.url);
/** Time limit. Long enough for a thread to start and read a small body, even on a busy machine. */
const LIMIT_MS = 4_000;

let reader: PushReader;
afterEach(() => reader.close());

function read(note: string) {
  const body = Buffer.from(JSON.stringify({ ...payload('apple', { records: heartRates(1) }), note }));
  return reader.read({ body, encoding: 'identity', maxBytes: 2 ** 20, provider: 'apple', receivedAtMs: Date.now() });
}

const GOOD = { batch: expect.objectContaining({ samples: expect.objectContaining({ length: 1 }) }) };

describe('a hostile body', () => {
  it.each(['looping', 'deadly'])('of type %s does not fail waiting bodies', async (fault) => {
    reader = new PushReader({ limitMs: LIMIT_MS, program: FAULTY });
    const [hostile, ...good] = await Promise.allSettled([read(fault), read('good'), read('good')]);
    expect(hostile).toEqual({ status: 'rejected', reason: expect.any(PushReaderError) });
    expect(good).toEqual(Array(2).fill({ status: 'fulfilled', value: expect.objectContaining(GOOD) }));
  });

  it('does not use up the time limit of waiting bodies', async () => {
    reader = new PushReader({ limitMs: LIMIT_MS, program: FAULTY });
    const all = await Promise.allSettled([read('looping'), read('looping'), read('good')]);
    expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  });
});

it('fails pending reads on close without rejecting their bodies', async () => {
  reader = new PushReader();
  const reads = [read('good'), read('good')];
  reader.close();
  for (const one of [...reads, read('good')]) {
    const error = await one.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(PushReaderError);
  }
});
