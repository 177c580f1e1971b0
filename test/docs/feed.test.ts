import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { canonicalRow, type DigestedRow, digestMessage } from '@healthd/model';
import { describe, expect, it, test } from 'vitest';
import { createTestDatabase } from '../support/postgres.js';
import { ROOT } from './documents.js';

interface Vector {
  name: string;
  key: string;
  rows: DigestedRow[];
  canonical: string[];
  digest: string;
}

const run = promisify(execFile);
const VECTORS_FILE = join(ROOT, 'docs/feed-vectors.json');
const VECTORS = JSON.parse(readFileSync(VECTORS_FILE, 'utf8')) as Vector[];
const page = readFileSync(join(ROOT, 'docs/feed.md'), 'utf8');
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, block = '']) => block);

/** Prints the canonical rows and the digest of each vector, with the page's Python functions. */
const PYTHON_MAIN = `
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    vectors = json.load(file)
print(json.dumps([{"canonical": [canonical_row(row).hex() for row in vector["rows"]],
                   "digest": digest(vector["key"], vector["rows"])} for vector in vectors]))
`;

describe('the canonical form in docs/feed.md', () => {
  const expected = VECTORS.map(({ canonical, digest }) => ({ canonical, digest }));

  test('has at least six test vectors', () => expect(VECTORS.length).toBeGreaterThan(5));

  it.each(VECTORS)('is produced by the TypeScript functions: $name', ({ key, rows, canonical, digest }) => {
    expect(rows.map((row) => Buffer.from(canonicalRow(row)).toString('hex'))).toEqual(canonical);
    const message = digestMessage(rows.map(canonicalRow));
    expect(createHmac('sha256', Buffer.from(key, 'hex')).update(message).digest('hex')).toBe(digest);
  });

  it('is produced by the Python program', async ({ skip }) => {
    const isThere = await run('python3', ['--version']).then(
      () => true,
      () => false,
    );
    if (!isThere) return skip('python3 is not installed');
    const { stdout } = await run('python3', ['-c', `${blocks('python').join('\n')}\n${PYTHON_MAIN}`, VECTORS_FILE]);
    expect(JSON.parse(stdout)).toEqual(expected);
  });

  it('is produced by the SQL functions', async () => {
    const database = await createTestDatabase();
    try {
      const [functions = '', query = ''] = blocks('sql');
      await database.pool.query(functions);
      await database.pool.query(`create table copy (
        user_id text, kind text, type text, provider text, day date, source text, start_at timestamptz, end_at timestamptz,
        value float8, offset_minutes integer, details text)`);
      for (const { name, key, rows, canonical, digest } of VECTORS) {
        await database.pool.query('truncate copy');
        for (const { type, source, start, end, value, offset, details } of rows) {
          await database.pool.query(
            `insert into copy values ($1, 'sleep', $2, 'polar', '2026-03-01', $3, $4, $5, $6, $7, $8)`,
            [name, type, source, start, end, Object.is(value, -0) ? '-0' : value, offset, details],
          );
        }
        const found = await database.pool.query<{ row: string }>(
          `select encode(feed_row(type, source, start_at, end_at, value, offset_minutes, details), 'hex') as row from copy`,
        );
        expect(found.rows.map(({ row }) => row).sort(), name).toEqual([...canonical].sort());
        const text = query.replace(':key', '$1').replace(':user_id', '$2');
        const digests = await database.pool.query<{ digest: string; rows: number }>(text, [key, name]);
        expect(
          digests.rows.map((found) => ({ digest: found.digest, rows: Number(found.rows) })),
          name,
        ).toEqual(rows.length === 0 ? [] : [{ digest, rows: rows.length }]);
      }
    } finally {
      await database.drop();
    }
  });
});
