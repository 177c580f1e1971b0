import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Answers } from './postgres-server.js';

/** Requests a resource that the test runner creates once for all test files. */
export async function callTestRunner<Asked extends keyof Answers>(resource: Asked): Promise<Answers[Asked]> {
  const path = process.env.HEALTHD_TEST_POSTGRES;
  if (path === undefined) throw new Error('the global set-up of vitest.config.ts has not run');
  const socket = connect(path);
  socket.end(resource);
  const response = JSON.parse(await text(socket)) as Answers[Asked] & { error?: string };
  if (response.error !== undefined) throw new Error(`no ${resource} for the tests: ${response.error}`);
  return response;
}
