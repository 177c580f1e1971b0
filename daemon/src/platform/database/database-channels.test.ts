import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { runSql } from '../../../../test/support/run-sql.js';
import { DatabaseChannels } from './database-channels.js';

let database: TestDatabase;
let channels: DatabaseChannels;
/** Reconnection delays that the channels reported. */
let waitsMs: number[];
beforeAll(async () => {
  database = await createTestDatabase();
  await database.pool.query('create table stored_word (word text primary key)');
});
afterAll(() => database.drop());
beforeEach(() => {
  waitsMs = [];
  channels = new DatabaseChannels({ url: database.url, onInterrupted: (_error, retryInMs) => waitsMs.push(retryInMs) });
});
afterEach(() => channels.close());

const LISTENING = `select pid from pg_stat_activity
  where datname = current_database() and application_name = 'healthd channels'`;

async function listeningPids(): Promise<number[]> {
  return (await database.pool.query<{ pid: number }>(LISTENING)).rows.map(({ pid }) => pid);
}

/** Ends the channels' connection on the server; returns the number of connections. */
async function endListening(): Promise<number> {
  const { rowCount } = await database.pool.query(`select pg_terminate_backend(pid) from (${LISTENING}) as listening`);
  return rowCount ?? 0;
}

const send = (channel: string, payload: string) => database.pool.query('select pg_notify($1, $2)', [channel, payload]);

/** Listens to a channel. Records its messages and counts the calls of `onListening`. */
function listen(channel: string) {
  const heard = { messages: [] as string[], began: 0 };
  const subscription = channels.listen(channel, {
    onMessage: (payload) => void heard.messages.push(payload),
    onListening: () => void heard.began++,
  });
  return Object.assign(heard, subscription);
}

/** Listens to a channel and reads the stored words at each call, like a listener that must not miss a message. */
function readStoredWords(channel: string): { words: string[] } {
  const read = { words: [] as string[] };
  const look = async () => {
    const { rows } = await database.pool.query<{ word: string }>('select word from stored_word order by word');
    read.words = rows.map(({ word }) => word);
  };
  channels.listen(channel, { onMessage: () => void look(), onListening: () => void look() });
  return read;
}

test('passes each listener only the messages of its own channel', async () => {
  const first = listen('first_channel');
  const second = listen('second_channel');
  await Promise.all([first.attempted, second.attempted]);
  const late = listen('late_channel');
  const beside = listen('first_channel');
  await Promise.all([late.attempted, beside.attempted]);
  expect(await listeningPids()).toHaveLength(1);
  await send('first_channel', 'one');
  await send('second_channel', 'two');
  await send('late_channel', 'three');
  await expect.poll(() => late.messages).toEqual(['three']);
  expect([first.messages, beside.messages, second.messages]).toEqual([['one'], ['one'], ['two']]);
  expect([first.began, second.began, late.began, beside.began]).toEqual([1, 1, 1, 1]);
});

test('opens no connection before the first listener', async () => {
  expect(await listeningPids()).toEqual([]);
});

test('calls all listeners again after the server closed the connection', async () => {
  const heard = ['first_channel', 'second_channel', 'late_channel'].map(listen);
  await Promise.all(heard.map(({ attempted }) => attempted));
  const [before] = await listeningPids();
  for (let times = 1; times <= 3; times++) {
    expect(await endListening()).toBe(1);
    await expect.poll(() => heard.map(({ began }) => began)).toEqual([times + 1, times + 1, times + 1]);
  }
  expect(await listeningPids()).toHaveLength(1);
  expect(await listeningPids()).not.toEqual([before]);
  await send('first_channel', 'one');
  await send('late_channel', 'three');
  await expect.poll(() => heard.map(({ messages }) => messages)).toEqual([['one'], [], ['three']]);
  // Each interruption starts with the shortest delay, because the connection worked in between.
  expect(waitsMs).toEqual([100, 100, 100]);
});

test('lets listeners catch up on changes made during an interruption', async () => {
  const readers = [readStoredWords('first_channel'), readStoredWords('second_channel')];
  await expect.poll(listeningPids).toHaveLength(1);
  const server = new URL(database.url);
  const name = server.pathname.slice(1);
  server.pathname = '/postgres';
  await runSql(server.href, `alter database ${name} with allow_connections false`);
  try {
    await endListening();
    await expect.poll(() => waitsMs.length).toBeGreaterThan(2);
    await database.pool.query(`insert into stored_word values ('missed')`);
    await send('first_channel', 'missed');
  } finally {
    await runSql(server.href, `alter database ${name} with allow_connections true`);
  }
  await expect.poll(() => readers.map(({ words }) => words)).toEqual([['missed'], ['missed']]);
  expect(waitsMs.slice(0, 3)).toEqual([100, 200, 400]);
});

test('does not call an ended listener or reconnect after closing', async () => {
  const ended = listen('first_channel');
  const other = listen('first_channel');
  await Promise.all([ended.attempted, other.attempted]);
  ended.end();
  await send('first_channel', 'one');
  await expect.poll(() => other.messages).toEqual(['one']);
  expect(ended.messages).toEqual([]);
  await channels.close();
  await listen('first_channel').attempted;
  await expect.poll(listeningPids).toEqual([]);
  expect(waitsMs).toEqual([]);
});
