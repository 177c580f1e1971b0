import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Request } from 'express';
import { afterAll, expect, test } from 'vitest';
import { limitIdle } from './idle-limit.js';

// Responds with 408 to a sender that is silent for half a second, otherwise with 200.
const server = createServer(async (incoming, response) => {
  const limit = limitIdle(incoming as Request, 0.5);
  const read = new Promise<void>((resolve) => incoming.resume().once('end', () => resolve()));
  const status = await Promise.race([read.then(() => 200), limit.exceeded.catch(() => 408)]);
  limit.release();
  // Waits longer than the limit, which does not apply to the response.
  if (status === 200) await new Promise((resolve) => setTimeout(resolve, 700));
  response.writeHead(status).end();
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
afterAll(() => server.close());

function send(pieces: number, finish: boolean): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const { port } = server.address() as AddressInfo;
    const sender = request({ host: '127.0.0.1', port, method: 'POST' }, (response) => {
      response.resume();
      resolve(response.statusCode);
      sender.destroy();
    });
    sender.once('error', reject);
    sender.flushHeaders();
    let sent = 0;
    const timer = setInterval(() => {
      if (sent++ < pieces) sender.write('x');
      else {
        clearInterval(timer);
        if (finish) sender.end();
      }
    }, 100);
  });
}

test('fails if the client is silent for too long', async () => {
  expect(await send(2, false)).toBe(408);
});

test('accepts a slow active client, even with a slow response', async () => {
  expect(await send(10, true)).toBe(200);
});
