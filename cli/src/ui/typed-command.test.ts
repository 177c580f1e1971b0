import { expect, test } from 'vitest';
import { typedHere } from './typed-command.js';

const HINT = 'Run `healthctl login`, or ask healthctl.';

test('a hint names the command as it is typed: through npm in a checkout, plainly elsewhere', () => {
  expect(typedHere(HINT, { npm_lifecycle_event: 'healthctl' })).toBe(
    'Run `npm run -s healthctl -- login`, or ask healthctl.',
  );
  expect(typedHere(HINT, {})).toBe(HINT);
  expect(typedHere(HINT, { npm_lifecycle_event: 'demo' })).toBe(HINT);
});
