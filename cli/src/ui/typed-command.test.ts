import { expect, test } from 'vitest';
import { hintForShell, withService } from './typed-command.js';

const HINT = 'Run `healthctl login`, or ask healthctl.';

test('shows commands through npm only if npm started healthctl', () => {
  expect(hintForShell(HINT, { npm_lifecycle_event: 'healthctl' })).toBe(
    'Run `npm run -s healthctl -- login`, or ask healthctl.',
  );
  expect(hintForShell(HINT, {})).toBe(HINT);
  expect(hintForShell(HINT, { npm_lifecycle_event: 'demo' })).toBe(HINT);
});

test('adds the options of a non-default service to hints', () => {
  const checkout = { npm_lifecycle_event: 'healthctl' };
  expect(hintForShell(withService(HINT, { context: 'lab' }), checkout)).toBe(
    'Run `npm run -s healthctl -- --context lab login`, or ask healthctl.',
  );
  expect(withService(HINT, { url: 'http://localhost:8100' })).toContain(
    '`healthctl --url http://localhost:8100 login`',
  );
  expect(withService(HINT, {})).toBe(HINT);
});
