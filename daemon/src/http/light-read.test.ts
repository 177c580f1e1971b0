import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.js';
import { newUser } from '../../../test/support/recorded-user.js';
import { Users } from '../users/index.js';
import { createApp } from './app.js';
import { userRoutes } from './routes/users.js';
import { type RunningServer, startServer } from './server.js';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

let database: TestDatabase;
let server: RunningServer;
let statementCount = 0;

beforeAll(async () => {
  database = await createTestDatabase({ maxConnections: 1 });
  const pool = new Proxy(database.pool, {
    get: (target, name) => {
      if (name === 'query') statementCount++;
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
  const users = new Users({ pool } as ConstructorParameters<typeof Users>[0]);
  const app = createApp({
    authenticate: async () => ({ kind: 'public' }),
    findUser: (id) => users.find(id),
    audit: () => undefined,
    checkAnswers: true,
    bindings: userRoutes({ users, terms: { current: () => Promise.reject(new Error('no terms needed')) } }),
    log: pino({ level: 'silent' }),
    errorFormat: 'standard',
    trustProxy: false,
  });
  server = await startServer({ app, host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await server.close(1);
  await database.drop();
});

it.each([
  ['an existing user', async () => (await newUser(database)).id, 200],
  ['an unknown user', async () => UNKNOWN, 404],
])('reads %s in one statement', async (_, idOf, status) => {
  const id = await idOf();
  statementCount = 0;
  const response = await fetch(`http://127.0.0.1:${server.port}/api/v1/users/${id}`);
  expect(response.status).toBe(status);
  expect(await response.text()).toContain(id);
  expect(statementCount).toBe(1);
});
