import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { afterAll, expect, it } from 'vitest';
import { createTestDatabase } from '../support/postgres.js';
import { mountSmallDisk } from '../support/small-disk.js';
import { openPushFixture } from './push-fixture.js';
import { payload, reading } from './push-payloads.js';

const SPACE = 'healthd_full_disk';
const disk = mountSmallDisk(3, await serverAccount());
afterAll(() => disk.unmount());

it.skipIf(disk.missing !== undefined)(`rejects batches with 507 until space is free${disk.missing ?? ''}`, async () => {
  const fixture = await openPushFixture();
  try {
    await fixture.pool.query(`create tablespace ${SPACE} location '${disk.folder}'`);
    await fixture.pool.query(`alter table device_batch set tablespace ${SPACE}`);
    const user = await fixture.createUser();
    const accepted: string[] = [];
    let rejected: Awaited<ReturnType<typeof fixture.send>> | undefined;
    for (let hour = 0; hour < 60 && rejected === undefined; hour++) {
      const response = await fixture.send(user, bodyOf(hour));
      if (response.status === 202) accepted.push(String(response.body.batch_id));
      else rejected = response;
    }
    expect(rejected?.status).toBe(507);
    expect(accepted.length).toBeGreaterThan(3);

    await fixture.pool.query('alter table device_batch set tablespace pg_default');
    const again = await fixture.send(user, bodyOf(accepted.length));
    expect(again.status).toBe(202);
    for (const batchId of [...accepted, String(again.body.batch_id)]) {
      expect((await fixture.ended(batchId)).status).toBe('success');
    }
    const stored = await fixture.rows<{ value: number }>('select value from sample order by value');
    expect(stored.map(({ value }) => value)).toEqual(Array.from({ length: accepted.length + 1 }, (_, n) => n + 1));
  } finally {
    await fixture.close();
    await dropSpace();
  }
});

/** Returns a body with one reading of this hour and padding that does not compress. */
function bodyOf(hour: number): string {
  const at = new Date(Date.UTC(2026, 9, 1, hour)).toISOString();
  const data = { records: [reading('STEP_COUNT', at, hour + 1, 'count')] };
  return JSON.stringify({ ...payload('google', data), padding: randomBytes(120_000).toString('base64') });
}

/** Returns the database server's user ID in the operating system. This user must own the folder of the tablespace. */
async function serverAccount(): Promise<number | undefined> {
  const database = await createTestDatabase();
  try {
    const { rows } = await database.pool.query<{ data_directory: string }>('show data_directory');
    return (await stat(rows[0]?.data_directory ?? '').catch(() => undefined))?.uid;
  } finally {
    await database.drop();
  }
}

async function dropSpace(): Promise<void> {
  const database = await createTestDatabase();
  await database.pool.query(`drop tablespace if exists ${SPACE}`);
  await database.drop();
}
