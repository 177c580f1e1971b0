import { randomUUID } from 'node:crypto';
import { MS_PER_DAY, MS_PER_MINUTE } from '@healthd/model';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRecordFixture, type RecordFixture } from '../../../../test/support/record-fixture.js';
import { inTransaction } from '../../platform/database/index.js';
import { CONFIRMABLE_MINUTES } from './import-file.js';
import {
  confirmImportFile,
  hasNewerFile,
  newerReplacementOf,
  reassignImportFile,
  storedSpoolName,
} from './reassigned-files.js';
import { markServedFiles, neededSpoolNames } from './served-files.js';
import { filesWithoutImport, nextOfUser } from './waiting-files.js';

const KEEP_DAYS = 3;

let fixture: RecordFixture;
beforeAll(async () => {
  fixture = await openRecordFixture();
});
afterAll(() => fixture.close());

const file = fc.record({
  user: fc.nat({ max: 1 }),
  provider: fc.constantFrom('apple', 'apple', 'samsung'),
  mode: fc.constantFrom('merge', 'replace'),
  isDryRun: fc.boolean(),
  state: fc.constantFrom('received', 'done', 'partial', 'failed', 'awaiting_confirmation'),
  status: fc.constantFrom('in_progress', 'success', 'partial', 'failed', 'cancelled', 'skipped'),
  removedMissing: fc.boolean(),
  isDeleted: fc.boolean(),
  isRetried: fc.boolean(),
  /** Minutes since the import ended, with ends just before and after each limit. */
  endedMinutes: fc.constantFrom(
    0,
    CONFIRMABLE_MINUTES - 1,
    CONFIRMABLE_MINUTES + 1,
    KEEP_DAYS * 1_440 - 1,
    KEEP_DAYS * 1_440 + 1,
  ),
});
type File = typeof file extends fc.Arbitrary<infer Value> ? Value & { id: string; runId: string; at: number } : never;

/** Stores files of two users. Each file is a minute newer than the file before. */
async function store(drawn: readonly Omit<File, 'id' | 'runId' | 'at'>[]): Promise<{ files: File[]; users: number[] }> {
  await fixture.pool.query('delete from import_file');
  const users = [await fixture.newUser(), await fixture.newUser()];
  const files = drawn.map((one, at): File => ({ ...one, id: randomUUID(), runId: `run-${randomUUID()}`, at }));
  const nowMs = Date.now();
  for (const one of files) {
    const userKey = users[one.user];
    const createdAt = new Date(nowMs - 10 * MS_PER_DAY + one.at * MS_PER_MINUTE);
    await fixture.pool.query(
      `insert into sync_run (run_id, user_key, provider, source, stage, status, metadata)
       values ($1, $2, $3, 'xml_import', 'processing', $4, $5)`,
      [one.runId, userKey, one.provider, one.status, { dry_run: one.isDryRun }],
    );
    await fixture.pool.query(
      `insert into import_file (id, run_id, user_key, provider, spool_name, byte_size, sha256, state, created_at, finished_at,
                                file_deleted_at, retried_at, mode, dry_run, removed_missing)
       values ($1::uuid, $2, $3, $4, $1::text, 9, '\\x00', $5, $6, $7, $8, $9, $10, $11, $12)`,
      [
        one.id,
        one.runId,
        userKey,
        one.provider,
        one.state,
        createdAt,
        one.state === 'received' ? null : new Date(nowMs - one.endedMinutes * MS_PER_MINUTE),
        one.isDeleted ? new Date() : null,
        one.isRetried ? new Date() : null,
        one.mode,
        one.isDryRun,
        one.removedMissing,
      ],
    );
  }
  return { files, users };
}

const files = fc.array(file, { minLength: 3, maxLength: 10, size: 'max' });
const isEnded = ({ status }: File) => ['success', 'partial', 'failed', 'cancelled'].includes(status);
const newerThan = (one: File, all: readonly File[]) =>
  all.filter(({ user, provider, at }) => user === one.user && provider === one.provider && at > one.at);

it('finds newer files, newer replacements and the stored file of a run', async () => {
  const property = fc.asyncProperty(files, async (drawn) => {
    const { files: all } = await store(drawn);
    for (const one of all) {
      const newer = newerThan(one, all);
      const isStored = ({ state, status, isDryRun }: File) =>
        state === 'done' || state === 'partial' || ((status === 'success' || status === 'partial') && !isDryRun);
      expect(await hasNewerFile(fixture.pool, one.runId)).toBe(newer.some(isStored));
      const isReplacing = (other: File) =>
        other.mode === 'replace' &&
        !other.isDryRun &&
        (other.removedMissing || (other.state === 'received' && !isEnded(other)));
      const replacement = one.isDryRun ? undefined : newer.findLast(isReplacing);
      const found = await inTransaction(fixture.pool, (client) => newerReplacementOf(client, one.runId));
      expect(found).toBe(replacement?.runId);
      expect(await storedSpoolName(fixture.pool, one.runId)).toBe(
        one.state === 'done' || one.isDeleted ? undefined : one.id,
      );
    }
  });
  await fc.assert(property, { numRuns: 25, endOnFailure: true });
});

it('imports the files of a user in order of arrival', async () => {
  const property = fc.asyncProperty(files, async (drawn) => {
    const { files: all, users } = await store(drawn);
    const oldest = users.flatMap((_, user) => all.find((one) => one.user === user && one.state === 'received') ?? []);
    for (const one of all) {
      const next = await nextOfUser(fixture.pool, one.id);
      const expected = oldest.find(({ user }) => user === one.user);
      expect(next?.id).toBe(expected?.id);
      expect(next?.dryRun).toBe(expected?.isDryRun);
      expect(next?.mode).toBe(expected?.mode);
      expect(next && next.retriedSince !== undefined).toBe(expected?.isRetried);
    }
    const waiting = await filesWithoutImport(fixture.pool, 'import', 10);
    expect(waiting).toEqual(
      oldest.toSorted((a, b) => a.at - b.at).map(({ id, user }) => ({ id, userKey: users[user] })),
    );
    expect(await filesWithoutImport(fixture.pool, 'import', 1)).toEqual(waiting.slice(0, 1));
  });
  await fc.assert(property, { numRuns: 15, endOnFailure: true });
});

it('releases exactly the files that no import can use again', async () => {
  const property = fc.asyncProperty(files, async (drawn) => {
    const { files: all } = await store(drawn);
    const isServed = ({ state, endedMinutes, isDeleted }: File) => {
      if (isDeleted || state === 'received') return false;
      if (state === 'done') return true;
      return endedMinutes > (state === 'awaiting_confirmation' ? CONFIRMABLE_MINUTES : KEEP_DAYS * 1_440);
    };
    const served = all.filter(isServed).map(({ id }) => id);
    expect((await markServedFiles(fixture.pool, KEEP_DAYS)).toSorted()).toEqual(served.toSorted());
    const names = all.map(({ id }) => id);
    const needed = all.filter((one) => !one.isDeleted && !served.includes(one.id)).map(({ id }) => id);
    expect([...(await neededSpoolNames(fixture.pool, [...names, 'orphan']))].toSorted()).toEqual(needed.toSorted());
    expect(await markServedFiles(fixture.pool, KEEP_DAYS)).toEqual([]);
  });
  await fc.assert(property, { numRuns: 15, endOnFailure: true });
});

it('assigns only a stored file to a new run', async () => {
  const property = fc.asyncProperty(files, async (drawn) => {
    const { files: all, users } = await store(drawn);
    for (const [index, one] of all.entries()) {
      const runId = `next-${randomUUID()}`;
      const isRetry = index % 2 === 0;
      const assign = isRetry ? reassignImportFile : confirmImportFile;
      const isAssigned = isRetry
        ? one.state !== 'done' && !one.isDeleted
        : one.isDryRun && !one.isDeleted && ['received', 'awaiting_confirmation'].includes(one.state);
      const found = await inTransaction(fixture.pool, (client) => assign(client, one.runId, runId));
      expect(found?.id).toBe(isAssigned ? one.id : undefined);
      if (isAssigned) expect(found?.userKey).toBe(users[one.user]);
      const { rows } = await fixture.pool.query(
        `select run_id, state, dry_run, finished_at is null as is_open, retried_at is not null as is_retried
           from import_file where id = $1`,
        [one.id],
      );
      const unchanged = {
        run_id: one.runId,
        state: one.state,
        dry_run: one.isDryRun,
        is_open: one.state === 'received',
        is_retried: one.isRetried,
      };
      const assigned = {
        run_id: runId,
        state: 'received',
        dry_run: isRetry && one.isDryRun,
        is_open: true,
        is_retried: isRetry,
      };
      expect(rows).toEqual([isAssigned ? assigned : unchanged]);
    }
  });
  await fc.assert(property, { numRuns: 10, endOnFailure: true });
});
