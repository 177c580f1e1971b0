import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { ephemeralPorts, freePort } from './free-port.js';

it('chooses a port outside of the ephemeral range', async () => {
  const { first, last } = await ephemeralPorts();
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const outgoing = connect((listener.address() as AddressInfo).port, '127.0.0.1');
  await once(outgoing, 'connect');
  expect(outgoing.localPort).toBeGreaterThanOrEqual(first);
  expect(outgoing.localPort).toBeLessThanOrEqual(last);
  outgoing.destroy();
  listener.close();
  for (const port of await Promise.all(Array.from({ length: 50 }, () => freePort()))) {
    expect(port < first || port > last, String(port)).toBe(true);
  }
});

it('uses a preferred port only if it is free and not ephemeral', async () => {
  const preferred = await freePort();
  expect(await freePort(preferred)).toBe(preferred);
  const listener = createServer().listen(preferred, '127.0.0.1');
  await once(listener, 'listening');
  expect(await freePort(preferred)).not.toBe(preferred);
  listener.close();
  const { last } = await ephemeralPorts();
  expect(await freePort(last)).not.toBe(last);
});
