import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { jsonOf } from './cli-responses.js';
import { ADMIN, startWorld, type World } from './cli-world.js';
import { answerPrompts, SECOND_CHOICE } from './questions.js';

const FIRST_PASSWORD = 'seven lamps of architecture';
const SECOND_PASSWORD = 'eight lamps of architecture';
const EMAIL = 'ben@clinic.example';

let world: World;
/** Profile of Ben's healthctl. */
let ben: Pick<World, 'folder' | 'home'>;
beforeAll(async () => {
  world = await startWorld();
  ben = { folder: world.folder, home: join(world.folder, 'ben') };
});
afterAll(() => world?.stop());

const json = (...args: string[]) => jsonOf(world, args);

const emails = async () => (await json('developers', 'list')).map(({ email }: { email: string }) => email).sort();

async function logIn(password: string): Promise<number> {
  return (await loginWith(password)).code;
}

async function loginWith(password: string) {
  const answers = [{ question: 'Password', types: password, isSecret: true }];
  return answerPrompts(ben, ['login', '--email', EMAIL, '--url', world.url], answers);
}

test('logs in with an invitation whose token stays hidden', async () => {
  const { token } = await json('invitations', 'create', EMAIL);
  const accepted = await answerPrompts(
    ben,
    ['invitations', 'accept', '--first-name', 'Ben', '--last-name', 'Ito', '--url', world.url],
    [
      { question: 'Invitation token', types: token, isSecret: true },
      { question: 'New password', types: FIRST_PASSWORD, isSecret: true },
    ],
  );
  expect(accepted.code, accepted.shown).toBe(0);
  expect(accepted.shown).toContain(EMAIL);
  expect(await emails()).toEqual([ADMIN.email, EMAIL]);
  expect(await logIn(FIRST_PASSWORD)).toBe(0);
});

test('changes a password with the old password and a repeated new password', async () => {
  const change = async (...passwords: readonly [string, string, string]) => {
    const questions = ['Current password', 'New password', 'New password again'];
    const answers = questions.map((question, at) => ({ question, types: passwords[at] ?? '', isSecret: true }));
    return (await answerPrompts(ben, ['developers', 'password'], answers)).code;
  };
  expect(await change('not the old one', SECOND_PASSWORD, SECOND_PASSWORD)).not.toBe(0);
  expect(await change(FIRST_PASSWORD, SECOND_PASSWORD, 'something else entirely')).not.toBe(0);
  expect(await change(FIRST_PASSWORD, SECOND_PASSWORD, SECOND_PASSWORD)).toBe(0);
  const rejected = await loginWith(FIRST_PASSWORD);
  expect(rejected).toMatchObject({ code: 4, shown: expect.stringContaining('Check the email') });
  expect(rejected.shown).not.toContain('stores a new credential');
  expect(await logIn(SECOND_PASSWORD)).toBe(0);
});

test('deletes an account after the user repeats the email or passes --yes', async () => {
  const remove = (typed: string) =>
    answerPrompts(world, ['developers', 'delete', EMAIL], [{ question: `Type ${EMAIL} to delete`, types: typed }]);
  expect((await remove('yes')).code).toBe(1);
  expect(await emails()).toContain(EMAIL);
  expect(await world.healthctl(['developers', 'delete', EMAIL])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('input_needed'),
  });
  const removed = await remove(EMAIL);
  expect(removed.code, removed.shown).toBe(0);
  expect(await emails()).toEqual([ADMIN.email]);
  expect(await logIn(SECOND_PASSWORD)).toBe(4);

  const { token } = await json('invitations', 'create', 'cleo@clinic.example');
  const accept = { token, first_name: 'Cleo', last_name: 'Ito', password: FIRST_PASSWORD };
  const response = await fetch(`${world.url}/api/v1/invitations/accept`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(accept),
  });
  expect(response.ok).toBe(true);
  expect(await json('developers', 'delete', 'cleo@clinic.example', '--yes')).toMatchObject({
    email: 'cleo@clinic.example',
  });
  expect(await emails()).toEqual([ADMIN.email]);
});

test('prompts a terminal user to select among users with the same email', async () => {
  const made: { id: string }[] = [];
  for (const name of ['First', 'Other']) {
    made.push(await json('users', 'create', '--email', 'twin@clinic.example', '--first-name', name));
  }
  const question = 'Which user is twin@clinic.example?';
  const chosen = async (types: string) => {
    const { code, shown } = await answerPrompts(world, ['users', 'show', 'twin@clinic.example'], [{ question, types }]);
    expect(code, shown).toBe(0);
    return made.find(({ id }) => new RegExp(`ID +${id}`).test(shown))?.id;
  };
  const both = [await chosen(''), await chosen(SECOND_CHOICE)];
  expect(both.toSorted()).toEqual(made.map(({ id }) => id).toSorted());
});
