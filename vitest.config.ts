import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.js';

// Threads, programs and the runner load the built code. Without a build they fail with misleading errors.
if (!existsSync(join(import.meta.dirname, 'packages/model/dist/index.js'))) {
  console.error('Nothing is built in this checkout, and tests load what was built: run `npm run build` once.');
  process.exit(1);
}

export default defineConfig({
  ssr: { resolve: { conditions: ['healthd-source', 'module', 'node', 'development|production'] } },
  test: {
    include: ['{cli,console,daemon}/src/**/*.test.{ts,tsx}', 'packages/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    pool: 'forks',
    // Loading the service again for each of about 230 files would take a third of the time. Files share module state, as
    // requests do in the service.
    isolate: false,
    // Hundreds of files in one process create many short-lived objects. A larger young generation saves a sixth of the
    // processor time.
    execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=64'],
    setupFiles: ['test/support/each-file.ts'],
    // Many long tests wait for a started service, so three workers keep two cores busy.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    globalSetup: ['test/support/postgres-server.ts'],
    // Caches compiled files on disk by content, so the next run loads them in a quarter of the time.
    experimental: { fsModuleCache: true },
    // Long time limits, because no test asserts speed and the machine may be busy.
    expect: { poll: { timeout: 120_000 } },
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
