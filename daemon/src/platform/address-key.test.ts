import { expect, test } from 'vitest';
import { addressKey } from './address-key.js';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:192.168.127.254', '192.168.127.254'],
  // Ends like a mapped IPv4 address but is an IPv6 address.
  ['2001:db8::ffff:192.0.2.7', '2001:db8:0:0::/64'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8::1:2:3:4:5', '2001:db8:0:1::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['2001:db8:0:0:7:7:7:7', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('maps %s to the key %s', (address, key) => {
  expect(addressKey(address)).toBe(key);
});

test('uses a string that is not an IP address as the key', () => {
  expect(addressKey('unknown')).toBe('unknown');
});
