import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Answers } from './postgres-server.js';

/** Requests a resource that the test runner creates once for all test files. */
export async function callTestRunner<Asked extends keyof Answers>(asked: Asked): Promise<Answers[Asked]> {
  const path = process.env.HEALTHD_TEST_POSTGRES;
  if (path === undefined) throw new Error('the global set-up of vitest.config.ts has not run');
  const socket = connect(path);
  socket.end(asked);
  const answer = JSON.parse(await text(socket)) as Answers[Asked] & { error?: string };
  if (answer.error !== undefined) throw new Error(`no ${asked} for the tests: ${answer.error}`);
  return answer;
}
