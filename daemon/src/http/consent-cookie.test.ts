import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, test } from 'vitest';
import { ConsentCookie } from './consent-cookie.js';

test.each([
  [true, '__Secure-healthd_consent'],
  [false, 'healthd_consent'],
])('chooses the cookie name and the Secure attribute for https: %s', async (secure, name) => {
  const cookie = new ConsentCookie({ secure });
  const app = express();
  app.get('/', (request, response) => void response.send(cookie.ensure(request, response)));
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const first = await fetch(address);
  const [line = ''] = first.headers.getSetCookie();
  expect(line).toMatch(new RegExp(`^${name}=[\\w-]{43}; Max-Age=86400; Path=/; .*HttpOnly; .*SameSite=Lax$`));
  expect(line.includes('Secure;')).toBe(secure);
  const secret = await first.text();
  const again = await fetch(address, { headers: { Cookie: `${name}=${secret}` } });
  expect(await again.text()).toBe(secret);
  // An http page may have set the cookie without the prefix, to a secret that an attacker knows.
  const plain = await fetch(address, { headers: { Cookie: `healthd_consent=${secret}` } });
  expect((await plain.text()) === secret).toBe(!secure);
  server.close();
});
