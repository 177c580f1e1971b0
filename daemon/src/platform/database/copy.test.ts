import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { copyInto } from './copy.js';
import type { CopyBatch, CopyColumn } from './copy-encoder.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.pool.query(`create table every_type (
    small int2, medium int4, large int8, real float8, instant timestamptz, words text, id uuid)`);
});
afterAll(async () => database.drop());

async function roundTrip(length: number, columns: CopyColumn[], select: string): Promise<Record<string, unknown>[]> {
  const client = await database.pool.connect();
  try {
    await client.query('truncate every_type');
    expect(await copyInto(client, 'every_type', [{ length, columns }])).toBe(length);
    return (await client.query(`select ${select} from every_type order by ctid`)).rows;
  } finally {
    client.release();
  }
}

describe('binary COPY', () => {
  it('reads back integers at their limits, and null', async () => {
    const rows = await roundTrip(
      3,
      [
        { name: 'small', type: 'int2', values: Int16Array.of(-32_767, 32_767, -32_768), absent: -32_768 },
        { name: 'medium', type: 'int4', values: Int32Array.of(-2_147_483_648, 2_147_483_647, 0) },
        {
          name: 'large',
          type: 'int8',
          values: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, -1],
        },
      ],
      'small, medium, large',
    );
    expect(rows).toEqual([
      { small: -32_767, medium: -2_147_483_648, large: Number.MIN_SAFE_INTEGER },
      { small: 32_767, medium: 2_147_483_647, large: Number.MAX_SAFE_INTEGER },
      { small: null, medium: 0, large: -1 },
    ]);
  });

  it('reads floats back exactly, except NaN declared as null', async () => {
    const numbers = Float64Array.of(0.1, -0, 5e-324, Number.MAX_VALUE, Number.POSITIVE_INFINITY, Number.NaN);
    const rows = await roundTrip(6, [{ name: 'real', type: 'float8', values: numbers, absent: Number.NaN }], 'real');
    expect(rows.map(({ real }) => real)).toEqual([0.1, -0, 5e-324, Number.MAX_VALUE, Number.POSITIVE_INFINITY, null]);
    const kept = await roundTrip(1, [{ name: 'real', type: 'float8', values: [Number.NaN] }], 'real');
    expect(kept[0]?.real).toBeNaN();
  });

  it('reads back timestamps around the year 2000 to the microsecond', async () => {
    const texts = [
      '1901-02-03 04:05:06.000007',
      '1999-12-31 23:59:59.999',
      '2000-01-01 00:00:00',
      '2026-03-29 01:30:00.5',
    ];
    const epochs = texts.map((written) => {
      const [whole, fraction = '0'] = written.split('.') as [string, string?];
      return Date.parse(`${whole.replace(' ', 'T')}Z`) + Number(`0.${fraction}`) * 1000;
    });
    const rows = await roundTrip(4, [{ name: 'instant', type: 'timestamptz', values: epochs }], 'instant::text');
    expect(rows.map(({ instant }) => instant)).toEqual(texts.map((written) => `${written}+00`));
  });

  it('reads back strings of any script, empty, null or multi-chunk', async () => {
    const id = '0f8fad5b-d9cb-469f-a165-70867728950e';
    const long = '脈'.repeat(400_000);
    const texts = ['', 'Zoë’s Watch', '心拍\u{1f3c3}', undefined, long];
    const rows = await roundTrip(
      5,
      [
        { name: 'id', type: 'uuid', values: [id, id.toUpperCase(), undefined, id, id] },
        { name: 'words', type: 'text', values: texts },
      ],
      'id, words',
    );
    expect(rows.map(({ words }) => words)).toEqual(texts.map((words) => words ?? null));
    expect(rows.map((row) => row.id)).toEqual([id, id, null, id, id]);
  });

  it('reads back one constant value over many chunks and batches', async () => {
    const client = await database.pool.connect();
    const medium = Int32Array.from({ length: 50_000 }, (_, row) => row);
    const batch: CopyBatch = {
      length: medium.length,
      columns: [
        { name: 'large', type: 'int8', values: 42 },
        { name: 'medium', type: 'int4', values: medium },
      ],
    };
    await client.query('truncate every_type');
    expect(await copyInto(client, 'every_type', [batch, batch])).toBe(100_000);
    const { rows } = await client.query(
      'select count(*) as n, sum(medium) as total, min(large) as low, max(large) as high from every_type',
    );
    client.release();
    expect(rows).toEqual([{ n: 100_000, total: 2 * ((49_999 * 50_000) / 2), low: 42, high: 42 }]);
  });
});

describe('failed COPY', () => {
  it.each<[string, CopyColumn]>([
    ['a number too large for its column', { name: 'small', type: 'int2', values: [1, 40_000] }],
    ['a fraction for an integer', { name: 'medium', type: 'int4', values: [1, 1.5] }],
    ['an integer that a number cannot hold exactly', { name: 'large', type: 'int8', values: [1, 2 ** 53] }],
    ['NaN instead of a number', { name: 'instant', type: 'timestamptz', values: [1, Number.NaN] }],
    ['a non-UUID value', { name: 'id', type: 'uuid', values: ['0f8fad5b-d9cb-469f-a165-70867728950e', 'nope'] }],
    ['a character Postgres cannot store', { name: 'words', type: 'text', values: ['a', 'b\0c'] }],
  ])('keeps the connection usable after a rejected copy: %s', async (_, column) => {
    const client = await database.pool.connect();
    try {
      await client.query('truncate every_type');
      await expect(copyInto(client, 'every_type', [{ length: 2, columns: [column] }])).rejects.toThrow();
      expect((await client.query('select count(*) as n from every_type')).rows).toEqual([{ n: 0 }]);
    } finally {
      client.release();
    }
  });
});
