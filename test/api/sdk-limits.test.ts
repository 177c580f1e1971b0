import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPushFixture, type PushFixture } from './push-fixture.js';
import { payload } from './push-payloads.js';

const MIB = 2 ** 20;
const MAX_BYTES = 2 * MIB;

let fixture: PushFixture;
let user: string;
beforeAll(async () => {
  fixture = await openPushFixture({ role: 'api', maxBytes: MAX_BYTES });
  user = await fixture.createUser();
});
afterAll(() => fixture.close());

/** Returns a payload of this size. Its text compresses well, or only to about half. */
function payloadOf(bytes: number, filling: 'blank' | 'random'): string {
  const head = JSON.stringify({ ...payload('apple', {}), note: '' }).slice(0, -2);
  const room = bytes - head.length - 2;
  return `${head}${filling === 'blank' ? ' '.repeat(room) : randomText(room)}"}`;
}

/** Returns deterministic hexadecimal digits, which compress to about half. */
function randomText(length: number): string {
  let text = '';
  for (let count = 0; text.length < length; count++) text += createHash('sha512').update(String(count)).digest('hex');
  return text.slice(0, length);
}

const packed = async (body: string) => {
  const bytes = gzipSync(body);
  return { bytes: bytes.length, status: (await fixture.send(user, bytes, { 'Content-Encoding': 'gzip' })).status };
};

describe('a pushed body', () => {
  it('may have exactly the maximum size, but not one byte more', async () => {
    expect((await fixture.send(user, payloadOf(MAX_BYTES, 'random'))).status).toBe(202);
    expect((await fixture.send(user, payloadOf(MAX_BYTES + 1, 'random'))).status).toBe(413);
  });

  it('is rejected if its undeclared length exceeds the maximum', async () => {
    const send = async (bytes: number) => {
      const text = payloadOf(bytes, 'random');
      const half = Math.floor(text.length / 2);
      const body = new Blob([text.slice(0, half), text.slice(half)]).stream();
      const response = await fetch(`${fixture.url}/api/v1/sdk/users/${user}/sync`, {
        method: 'POST',
        body,
        duplex: 'half',
      });
      return response.status;
    };
    expect(await send(MAX_BYTES)).toBe(202);
    expect(await send(MAX_BYTES + 1)).toBe(413);
  });

  it('is limited by its unpacked size if ordinarily compressed', async () => {
    const small = await packed(payloadOf(MAX_BYTES, 'random'));
    expect(small.status).toBe(202);
    const large = await packed(payloadOf(MAX_BYTES + 1, 'random'));
    expect(large.bytes).toBeLessThan(MAX_BYTES * 0.75);
    expect(large.status).toBe(413);
  });

  it('gets a retryable 503 if the client stops sending', async () => {
    const hasty = await openPushFixture({ role: 'api', idleSeconds: 1 });
    const body = payloadOf(1_000, 'blank');
    const socket = connect(Number(new URL(hasty.url).port), '127.0.0.1');
    const path = `/api/v1/sdk/users/${await hasty.createUser()}/sync`;
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 40)}`,
    );
    const response = (await text(socket)).toLowerCase();
    expect(response).toMatch(/^http\/1\.1 503 /);
    expect(response).toContain('retry-after: 10');
    await hasty.close();
  });

  it('is rejected for extreme compression, even within the size limit', async () => {
    const bomb = await packed(payloadOf(1.5 * MIB, 'blank'));
    expect((1.5 * MIB) / bomb.bytes).toBeGreaterThan(200);
    expect(bomb.status).toBe(413);
  });

  it('may have any compression ratio up to one mebibyte', async () => {
    expect((await packed(payloadOf(MIB, 'blank'))).status).toBe(202);
    expect((await packed(payloadOf(MIB + 1, 'blank'))).status).toBe(413);
  });

  it('with repetitive content may expand more than a hundred times', async () => {
    const word = createHash('sha512').update('a word').digest('hex');
    const repetitive = payloadOf(1.5 * MIB, 'blank').replace(/ +/, (blanks) => {
      const share = Math.floor(blanks.length / 120);
      return randomText(share) + word.repeat(Math.ceil(blanks.length / word.length)).slice(0, blanks.length - share);
    });
    const taken = await packed(repetitive);
    expect(repetitive.length / taken.bytes).toBeGreaterThan(100);
    expect(repetitive.length / taken.bytes).toBeLessThan(200);
    expect(taken.status).toBe(202);
  });
});
