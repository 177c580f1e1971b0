import { type CopyBatch, copyInto, createPool, inTransaction } from '@healthd/daemon/platform/database';
import { NO_OFFSET } from '@healthd/model';
import type pg from 'pg';
import type { FileSamples } from './file-samples.js';

const COLUMNS = 'user_key, start_at, value, source_id, duration_ms, type_id, offset_minutes, slot';

/** Minimum database time for the same rows. Samples that a file contains twice are one row. */
export interface Floor {
  /** COPY into a temporary table and an upsert from it, with a transaction per 50,000 samples. */
  copyAndUpsertSeconds: number;
  /** COPY directly into a table with the primary key. */
  copySeconds: number;
}

/**
 * Stores the samples in tables like `sample`, on one connection, a transaction per batch, in file order. Excludes
 * reading XML, roll-ups, sources and responses.
 */
export async function measureFloor(databaseUrl: string, { batches }: FileSamples): Promise<Floor> {
  const pool = createPool({ url: databaseUrl, max: 1 });
  try {
    const copyAndUpsertSeconds = await timed(pool, async () => {
      await pool.query(`create temporary table floor_stage (like sample)`);
      for (const batch of batches) {
        await inTransaction(pool, async (client) => {
          await client.query('truncate floor_stage');
          await copyInto(client, 'floor_stage', [copyBatch(batch)]);
          await client.query(UPSERT);
        });
      }
    });
    const copySeconds = await timed(pool, async () => {
      for (const batch of batches) {
        await inTransaction(pool, (client) => copyInto(client, 'floor_sample', [copyBatch(batch)]));
      }
    });
    return { copyAndUpsertSeconds, copySeconds };
  } finally {
    await pool.end();
  }
}

/** Measures work on an empty table, after flushing dirty pages of earlier work. */
async function timed(pool: pg.Pool, work: () => Promise<void>): Promise<number> {
  await pool.query('drop table if exists floor_sample');
  await pool.query('create table floor_sample (like sample)');
  await pool.query('alter table floor_sample add primary key (user_key, type_id, start_at, source_id, slot)');
  await pool.query('checkpoint');
  const startedMs = performance.now();
  await work();
  const seconds = (performance.now() - startedMs) / 1000;
  await pool.query('drop table floor_sample');
  return seconds;
}

function copyBatch({ columns, sourceId }: FileSamples['batches'][number]): CopyBatch {
  return {
    length: columns.length,
    columns: [
      { name: 'user_key', type: 'int8', values: 1 },
      { name: 'start_at', type: 'timestamptz', values: columns.startMs },
      { name: 'value', type: 'float8', values: columns.value },
      { name: 'source_id', type: 'int4', values: sourceId },
      { name: 'duration_ms', type: 'int4', values: columns.durationMs, absent: Number.NaN },
      { name: 'type_id', type: 'int2', values: columns.typeId },
      { name: 'offset_minutes', type: 'int2', values: columns.offsetMinutes, absent: NO_OFFSET },
      { name: 'slot', type: 'int4', values: columns.kind },
    ],
  };
}

const UPSERT = `
insert into floor_sample as stored (${COLUMNS})
select ${COLUMNS} from floor_stage
on conflict (user_key, type_id, start_at, source_id, slot) do update
   set value = excluded.value, duration_ms = excluded.duration_ms, offset_minutes = excluded.offset_minutes
 where (stored.value, stored.duration_ms, stored.offset_minutes)
       is distinct from (excluded.value, excluded.duration_ms, excluded.offset_minutes)`;
