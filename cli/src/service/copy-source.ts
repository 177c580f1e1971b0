import { open } from 'node:fs/promises';
import { DigestBuilder, linesOf, snapshotsOf, TruncatedError, type UserCopy } from '@healthd/client/feed';
import { postgresCopy } from '@healthd/client/postgres';
import { CliError } from '../failure.js';

/** A copy of users' data to compare with the service. */
export interface CopySource {
  /** True for a copy of all users. */
  hasAllUsers: boolean;
  /** Calls `work` for each user of the copy, or for one user. */
  eachUser<T>(userId: string | undefined, work: (copy: UserCopy) => Promise<T>): AsyncGenerator<T>;
  close(): Promise<void>;
}

/**
 * Opens a copy.
 * @param name path of a file with snapshots, or URL of a Postgres database
 * @throws CliError `file_missing`, `file_unreadable`, `copy_unreachable`, `copy_missing`
 */
export async function openCopy(name: string, schema: string): Promise<CopySource> {
  if (/^postgres(ql)?:/i.test(name)) return openDatabase(name, schema);
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(name))
    throw new CliError('copy_unknown', 'The copy is neither a file nor a postgres:// URL.');
  return openFile(name);
}

async function openDatabase(url: string, schema: string): Promise<CopySource> {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  pool.on('error', () => undefined);
  const close = () => pool.end();
  const copy = postgresCopy(pool, { schema });
  const ids = await copy.userIds().catch(async (error: { code?: string; message: string }) => {
    await close();
    if (error.code === '42P01')
      throw new CliError('copy_missing', `The database contains no copy in the schema ${schema}.`, {
        hint: 'Pass the schema of the copy with --schema.',
      });
    throw new CliError('copy_unreachable', `Cannot read the database of the copy: ${error.message || error.code}.`, {
      cause: error,
    });
  });
  return {
    hasAllUsers: true,
    async *eachUser(userId, work) {
      for (const id of ids) {
        if (userId !== undefined && id !== userId) continue;
        // Another process may have deleted the user after the ids were read.
        const result = await copy.readUser(id, async (user) => ({ value: await work(user) }));
        if (result !== undefined) yield result.value;
      }
    },
    close,
  };
}

async function openFile(path: string): Promise<CopySource> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT'
      ? new CliError('file_missing', `File ${path} not found.`)
      : new CliError('file_unreadable', `Cannot read ${path}.`);
  });
  return {
    hasAllUsers: false,
    async *eachUser(userId, work) {
      const lines = linesOf(file.createReadStream({ autoClose: false }));
      try {
        for await (const { head, lines: rows } of snapshotsOf(lines)) {
          const builder = new DigestBuilder(head.digest_key);
          for await (const row of rows) if (row.kind !== 'source') builder.add(row);
          if (userId !== undefined && head.user_id !== userId) continue;
          const digests = await builder.digests();
          const [first, last] = [digests[0], digests.at(-1)];
          yield await work({
            userId: head.user_id,
            position: head.position,
            keyId: head.key_id,
            stored: first && last && { from: first.day, to: last.day },
            digests: async ({ from, to }) => digests.filter(({ day }) => from <= day && day <= to),
          });
        }
      } catch (error) {
        if (!(error instanceof TruncatedError || error instanceof SyntaxError)) throw error;
        throw new CliError('copy_invalid', `Cannot read the snapshot in ${path}: ${error.message}.`, {
          hint: 'Take the snapshot again.',
          cause: error,
        });
      }
    },
    close: () => file.close(),
  };
}
