import { expect, test } from 'vitest';
import { browserCommand } from './open.js';

test('opens URLs without a shell on every system', () => {
  const address = 'https://health.example.org/users/1';
  expect(browserCommand('win32', address)).toEqual(['rundll32', ['url.dll,FileProtocolHandler', address]]);
  expect(browserCommand('darwin', address)).toEqual(['open', [address]]);
  expect(browserCommand('linux', address)).toEqual(['xdg-open', [address]]);
});
