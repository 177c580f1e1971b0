import { expect, test } from 'vitest';
import { Disposers } from './disposers.js';

test('stops parts sequentially in reverse order', async () => {
  const log: string[] = [];
  const started = new Disposers();
  for (const name of ['pool', 'queue', 'server']) {
    started.add(async () => {
      log.push(`${name} stops`);
      await new Promise(setImmediate);
      log.push(`${name} has stopped`);
    });
  }
  await started.dispose();
  await started.dispose();
  expect(log).toEqual([
    'server stops',
    'server has stopped',
    'queue stops',
    'queue has stopped',
    'pool stops',
    'pool has stopped',
  ]);
});

test('stops the remaining parts before throwing a failure', async () => {
  const stopped: string[] = [];
  const started = new Disposers();
  started.add(() => stopped.push('pool'));
  started.add(() => {
    throw new Error('the queue hangs');
  });
  started.add(() => stopped.push('server'));
  await expect(started.dispose()).rejects.toThrow('the queue hangs');
  expect(stopped).toEqual(['server', 'pool']);
});
