import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineJob } from './definition.js';
import { assertRegistry } from './registry.js';
import { RETRY_NEVER } from './retry.js';

function job(name: string) {
  return defineJob({
    name,
    payload: z.object({}),
    concurrency: 1,
    maxDurationSeconds: 1,
    retry: RETRY_NEVER,
    handler: () => Promise.resolve(),
  });
}

describe('the registry of jobs', () => {
  it('the registry of jobs accepts one handler for every name', () => {
    expect(() => assertRegistry([job('import'), job('roll-up')], ['roll-up', 'import'])).not.toThrow();
  });

  it('the registry of jobs is looked through for doubled handlers alone where the names are not given', () => {
    expect(() => assertRegistry([job('import'), job('roll-up')])).not.toThrow();
    expect(() => assertRegistry([job('import'), job('roll-up'), job('import')])).toThrow(/: import has two handlers$/);
  });

  it('the registry of jobs names every job that has two handlers, none, or no use', () => {
    const definitions = [job('import'), job('import'), job('orphan')];
    expect(() => assertRegistry(definitions, ['import', 'pull'])).toThrow(
      'Every job needs exactly one handler: import has two handlers; pull has no handler; orphan is enqueued by nobody',
    );
  });
});
