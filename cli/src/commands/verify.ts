import { type DigestApi, type Difference, type UserCopy, type Verification, verifyCopy } from '@healthd/client/feed';
import { getDigest, listUsers } from '@healthd/contract';
import { type Command, Option } from 'commander';
import type { Cli } from '../cli.js';
import { EXIT } from '../exit-codes.js';
import { CliError } from '../failure.js';
import { Outcome } from '../outcome.js';
import { type Shape, writeRows } from '../output/writer.js';
import type { CopySource } from '../service/copy-source.js';
import type { Bind } from './bind.js';
import { userId } from './values.js';

/** `verify` */
export function addVerifyCommand(program: Command, bind: Bind): void {
  program
    .command('verify')
    .description(
      'Compares a copy with the service by digests, and lists the differences by day, kind, series type and provider. ' +
        'Exits with 1 if there are any. The copy is a file with snapshots (NDJSON), or the Postgres database of a ' +
        'receiver: postgres://copy@localhost/app. Pass its password in PGPASSWORD.',
    )
    .summary('compare a copy with the service')
    .addOption(new Option('--copy <file or url>', 'snapshot file, or URL of a Postgres database').makeOptionMandatory())
    .addOption(new Option('-u, --user <id>', 'only this user').argParser(userId))
    .option('--schema <name>', 'schema of the copy in Postgres', 'healthd')
    .addHelpText(
      'after',
      '\nExamples:\n  healthctl verify --copy anna.ndjson\n  healthctl verify --copy postgres://copy@localhost/app --user anna@example.org\n',
    )
    .action(bind(verify));
}

interface VerifyOptions {
  copy: string;
  user?: string;
  schema: string;
}

/** A difference between the copy and the service. A null `day` means all data of the user. */
interface DifferenceRow extends Omit<Difference, 'day' | 'kind' | 'provider' | 'problem'> {
  user_id: string;
  day: string | null;
  kind: string | null;
  provider: string | null;
  problem: Difference['problem'] | 'erased' | 'key_replaced';
  /** Last change that the copy contains, and last change of the service. */
  copy_position: number | null;
  service_position: number | null;
}

const SHAPE = {
  fields: [
    'user_id',
    'problem',
    'day',
    'kind',
    'type',
    'provider',
    'service_rows',
    'copy_rows',
    'service_position',
    'copy_position',
  ],
  columns: [
    { header: 'User', cell: (row: DifferenceRow) => row.user_id },
    { header: 'Day', cell: (row: DifferenceRow) => row.day },
    { header: 'Data', cell: ({ kind, type }: DifferenceRow) => type ?? kind },
    { header: 'Provider', cell: (row: DifferenceRow) => row.provider },
    { header: 'Problem', cell: ({ problem }: DifferenceRow) => problem.replaceAll('_', ' ') },
    { header: 'Copy rows', cell: (row: DifferenceRow) => row.copy_rows, align: 'right' as const },
    { header: 'Service rows', cell: (row: DifferenceRow) => row.service_rows, align: 'right' as const },
  ],
} satisfies Shape<DifferenceRow>;

/** `healthctl verify` */
async function verify(cli: Cli, { copy, user, schema }: VerifyOptions): Promise<void> {
  cli.willWrite(SHAPE);
  const client = await cli.client();
  const { signal } = cli;
  const api: DigestApi = { getDigest: (input) => client.call(getDigest, input) };
  const { openCopy } = await import('../service/copy-source.js');
  const source = await openCopy(copy, schema);
  const results: Verification[] = [];
  try {
    async function* rows(): AsyncGenerator<DifferenceRow> {
      const check = async (one: UserCopy) => {
        const result = await verifyCopy(api, one, { signal });
        results.push(result);
        return rowsOf(result);
      };
      for await (const found of checkUsers(source, user, check)) yield* found;
      if (source.hasAllUsers && user === undefined) yield* missingUsers(new Set(results.map(({ user_id }) => user_id)));
    }
    /** Yields users who have data in the service but are missing from the copy. */
    async function* missingUsers(known: ReadonlySet<string>): AsyncGenerator<DifferenceRow> {
      const today = new Date().toISOString().slice(0, 10);
      for (let after: string | undefined; ; ) {
        const page = await client.call(listUsers, { query: { limit: 100, after }, signal });
        for (const { id } of page.items) {
          if (known.has(id)) continue;
          const { stored, position } = await api.getDigest({
            params: { user_id: id },
            query: { from: today, to: today },
            signal,
          });
          if (stored !== null) yield wholeUser(id, 'missing', null, position);
        }
        if (page.next_cursor === null) return;
        after = page.next_cursor;
      }
    }
    const count = await writeRows(cli.sink, SHAPE, rows());
    report(cli, results, count);
  } finally {
    await source.close();
  }
}

/** @throws CliError `not_found` if the copy does not contain the user */
async function* checkUsers<T>(
  source: CopySource,
  user: string | undefined,
  check: (copy: UserCopy) => Promise<T>,
): AsyncGenerator<T> {
  let isEmpty = true;
  for await (const result of source.eachUser(user, check)) {
    isEmpty = false;
    yield result;
  }
  if (isEmpty && user !== undefined) throw new CliError('not_found', `The copy does not contain the user ${user}.`);
}

function rowsOf(result: Verification): DifferenceRow[] {
  const { user_id, state, differences, copy_position, service_position } = result;
  if (state === 'erased' || state === 'key_replaced')
    return [wholeUser(user_id, state, copy_position, service_position)];
  return differences.map((difference) => ({ user_id, ...difference, copy_position, service_position }));
}

function wholeUser(
  userId: string,
  problem: DifferenceRow['problem'],
  copyPosition: number | null,
  servicePosition: number | null,
): DifferenceRow {
  return {
    user_id: userId,
    problem,
    day: null,
    kind: null,
    type: null,
    provider: null,
    service_rows: null,
    copy_rows: null,
    copy_position: copyPosition,
    service_position: servicePosition,
  };
}

/** @throws Outcome if there are differences */
function report(cli: Cli, results: readonly Verification[], differences: number): void {
  const compared = results.reduce((sum, result) => sum + result.compared, 0);
  const users = `${results.length} ${results.length === 1 ? 'user' : 'users'}`;
  if (differences === 0) {
    cli.say(`The copy equals the service: ${compared} digests of ${users} compared.`);
    return;
  }
  const behind = results.filter(({ state }) => state === 'behind').length;
  if (behind > 0)
    cli.warn(
      `The copy is behind the service for ${behind} of ${users}. Follow the feed to its end, then verify again.`,
    );
  if (results.some(({ state }) => state === 'key_replaced'))
    cli.warn('The digest key of a user was replaced. Take a new snapshot of the user.');
  if (results.some(({ state }) => state === 'erased'))
    cli.warn('The service has erased a user. Delete the user’s copy.');
  throw new Outcome(EXIT.failed);
}
