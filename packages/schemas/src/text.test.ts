import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import * as routes from './routes/index.js';
import { emailField, textField } from './text.js';

const field = textField(40);

test.each([
  ['NUL', '\0'],
  ['a tab', '\t'],
  ['a line break', '\r\n'],
  ['an escape', '\x1b'],
  ['a delete character', '\x7f'],
  ['a C1 control character', '\x85'],
])('rejects text with %s', (_case, character) => {
  for (const text of [character, `${character}Ada`, `Ad${character}a`, `Ada${character}`]) {
    expect(field.safeParse(text).success).toBe(false);
  }
});

test.each(['', 'Ada', 'Zoë Müller-Łukasz', '李小龙', 'نگار\u200cی', '👩\u200d💻 team', ' ada ', 'x'.repeat(40)])(
  'accepts "%s" unchanged',
  (text) => {
    expect(field.parse(text)).toBe(text);
  },
);

test.each([
  ['müller@example.com', 'müller@example.com'],
  ['a@bücher.de', 'a@bücher.de'],
  ['a@BÜCHER.DE', 'a@bücher.de'],
  ['mu\u0308ller@bu\u0308cher.de', 'müller@bücher.de'],
  ['用户@例子.公司', '用户@例子.公司'],
  ['a@xn--bcher-kva.xn--p1ai', 'a@xn--bcher-kva.xn--p1ai'],
  ["Jo.O'Neill+lab@Clinic.Example", "Jo.O'Neill+lab@clinic.example"],
])('stores the email %s as %s', (sent, kept) => {
  expect(emailField.parse(sent)).toBe(kept);
});

test.each([
  '',
  'a',
  '@',
  'a@',
  '@b.de',
  'a@b',
  'a@b.',
  'a@.de',
  'a@b..de',
  '.a@b.de',
  'a.@b.de',
  'a..b@b.de',
  'a@b@c.de',
  'a b@c.de',
  'a@b c.de',
  'a@-b.de',
  'a@b.1',
  'ä\u200b@b.de',
  '<a@b.de>',
  `${'x'.repeat(320)}@b.de`,
])('rejects "%s" as an email', (text) => {
  expect(emailField.safeParse(text).success).toBe(false);
});

const NAMES = ['first_name', 'last_name'];
const FORMS: [form: string, schema: z.ZodType | undefined, fields: string[]][] = [
  ['createUser', routes.createUser.body, [...NAMES, 'email', 'external_user_id', 'time_zone']],
  ['updateUser', routes.updateUser.body, [...NAMES, 'email', 'external_user_id', 'time_zone']],
  ['listUsers', routes.listUsers.query, ['search', 'email', 'external_user_id']],
  ['updateCurrentDeveloper', routes.updateCurrentDeveloper.body, [...NAMES, 'email']],
  ['updateDeveloper', routes.updateDeveloper.body, [...NAMES, 'email']],
  ['createInvitation', routes.createInvitation.body, ['email']],
  ['acceptInvitation', routes.acceptInvitation.body, [...NAMES, 'password']],
  ['changePassword', routes.changePassword.body, ['new_password']],
  ['createApplication', routes.createApplication.body, ['name']],
  ['createApiKey', routes.createApiKey.body, ['name']],
  ['renameApiKey', routes.renameApiKey.body, ['name']],
  ['authorizeProvider', routes.authorizeProvider.query, ['redirect_uri']],
  ['createWebhookSubscription', routes.createWebhookSubscription.query, ['callback_url']],
];

describe.each(FORMS)('text fields of %s', (_form, schema, fields) => {
  test.each(fields)('rejects control characters in %s', (name) => {
    for (const text of ['a\0b@clinic.example', 'a\x1b[2Jb@clinic.example', 'ab@clinic.example\n']) {
      const problems = schema?.safeParse({ [name]: text }).error?.issues ?? [];
      expect(problems.map(({ path }) => path[0])).toContain(name);
    }
  });
});
