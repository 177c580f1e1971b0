import { createPool } from '@healthd/daemon/platform/database';
import { archiveOldData } from '@healthd/daemon/retention';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type ArchivalFixture,
  LIVED,
  type LivedDatabase,
  NOW_MS,
  openArchival,
  openLivedDatabase,
} from '../../support/archival-fixture.js';
import { healthChecksums } from '../../support/health-tables.js';

let lived: LivedDatabase;
let fixture: ArchivalFixture;
beforeAll(async () => {
  lived = await openLivedDatabase();
});
afterAll(() => lived.drop());
beforeEach(async () => {
  fixture = await openArchival(lived);
});
afterEach(() => fixture.stop());

test('keeps summaries exact when archiving loses its database connections', async () => {
  const before = await fixture.summaries();
  const victim = createPool({ url: fixture.service.database.url, applicationName: 'victim', max: 2 });
  let kills = 0;
  for (let delay = 40; delay < 400; delay += 60) {
    const settings = { archiveAfterDays: 1, deleteAfterDays: null };
    const log = { error: () => undefined };
    let ended = false;
    const work = archiveOldData({ ...fixture.service.parts, pool: victim, settings, nowMs: NOW_MS, log })
      .catch(() => undefined)
      .finally(() => {
        ended = true;
      });
    await new Promise((resolve) => setTimeout(resolve, delay));
    for (let killed = 0; killed === 0 && !ended; ) {
      const { rowCount } = await fixture.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = 'victim' and datname = current_database() and state <> 'idle'`,
      );
      killed = rowCount ?? 0;
      kills += killed;
    }
    await work;
    expect(await fixture.summaries()).toEqual(before);
  }
  await victim.end();
  expect(kills).toBeGreaterThan(0);
  await fixture.archive(1);
  expect(await fixture.summaries()).toEqual(before);
  const settled = await healthChecksums(fixture);
  await fixture.write(LIVED);
  expect(await healthChecksums(fixture)).toEqual(settled);
});
