import { expect, test } from 'vitest';
import { serviceAddress } from './service-address.js';

test.each([
  ['127.0.0.1', 'http://localhost:8000'],
  ['0.0.0.0', 'http://localhost:8000'],
  ['::', 'http://localhost:8000'],
  ['::1', 'http://[::1]:8000'],
  ['192.168.1.5', 'http://192.168.1.5:8000'],
  ['health.lan', 'http://health.lan:8000'],
])('maps the listen address %s to the URL %s', (host, address) => {
  expect(serviceAddress(host, 8000)).toBe(address);
});
