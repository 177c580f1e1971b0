import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { pushDeviceData } from '@healthd/contract';
import type { UploadResponse } from '@healthd/schemas';
import type { Command } from 'commander';
import type { Cli } from '../cli.js';
import { EXIT } from '../exit-codes.js';
import { CliError } from '../failure.js';
import { NO_FIELDS } from '../output/fields.js';
import { type RecordShape, writeRecord } from '../output/writer.js';
import { followToEnd } from '../service/run-progress.js';
import { readStdin } from '../ui/prompt.js';
import type { Bind } from './bind.js';
import { withExamples } from './examples.js';
import { duration, userOption } from './values.js';

/** `push <file>` */
export function addPushCommand(program: Command, bind: Bind): void {
  withExamples(
    program
      .command('push')
      .description(
        'Sends a batch as the app on a phone does, and follows its run to the end. The file is checked first against what the service declares; every place that is wrong is named, and nothing is sent then. The same file sent twice is stored once.',
      )
      .summary('send a batch as a phone does')
      .argument('<file>', 'JSON with provider, sdkVersion, syncTimestamp and data; - reads stdin')
      .addOption(userOption())
      .option('--no-check', 'send it as it is')
      .option('--dry-run', 'only check, send nothing')
      .option('--no-wait', 'end as soon as the service has stored the batch')
      .option('--timeout <time>', 'maximum time to wait, e.g. 15m', duration)
      .action(bind(push)),
    'healthctl push batch.json --user anna@example.org',
  );
}

/** More problems of a file are counted, not listed. */
const LISTED = 20;

interface PushOptions {
  user: string;
  /** False: sent as it is. */
  check: boolean;
  dryRun?: boolean;
  wait: boolean;
  timeout?: number;
}

const SHAPE = {
  fields: ['batch_id', 'status_code', 'response', 'user_id'],
  pairs: ({ batch_id, response }: UploadResponse) =>
    [
      ['Run', batch_id],
      ['Answer', response],
    ] as const,
} satisfies RecordShape<UploadResponse>;

/** `healthctl push`: sends what a phone would send, once it is known to be well-formed. */
async function push(cli: Cli, path: string, options: PushOptions): Promise<void> {
  cli.willWrite(options.wait ? NO_FIELDS : SHAPE);
  const text = path === '-' ? await readStdin() : await textOf(path);
  const batch = parsed(path, text);
  if (options.check) await check(cli, path, batch);
  if (options.dryRun) return cli.say('The batch is as the service declares it. Nothing was sent.');
  const client = await cli.client();
  // The same file sent again is the same batch.
  const headers = { 'Idempotency-Key': createHash('sha256').update(text).digest('hex') };
  const params = { user_id: options.user };
  const response = await client.send(pushDeviceData, { params, body: batch as never, signal: cli.signal }, headers);
  const answer = (await response.json()) as UploadResponse;
  if (options.wait && answer.batch_id !== null) return followToEnd(cli, answer.batch_id, options.timeout, 'Storing');
  await writeRecord(cli.sink, SHAPE, answer);
  if (answer.batch_id !== null) cli.hint(`What became of it: healthctl runs show ${answer.batch_id}`);
}

async function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const what = error.code === 'ENOENT' ? `There is no file ${path}.` : `${path} cannot be read.`;
    throw new CliError('file_unreadable', what, { exitCode: EXIT.usage, cause: error });
  });
}

function parsed(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CliError('json_invalid', `${path} is no JSON: ${(error as Error).message}`, { exitCode: EXIT.usage });
  }
}

/** @throws CliError `payload_invalid` with each place that is wrong */
async function check(cli: Cli, path: string, batch: unknown): Promise<void> {
  const { payloadProblems } = await import('../service/push-check.js');
  const problems = payloadProblems(batch);
  if (problems.length === 0) return;
  for (const problem of problems.slice(0, LISTED)) cli.insist(`  ${problem}`);
  const more = problems.length > LISTED ? ` The first ${LISTED} are above.` : '';
  throw new CliError(
    'payload_invalid',
    `${path} is not as the service declares it, in ${problems.length} places.${more} First: ${problems[0]}`,
    { hint: 'The service would reject such items one by one. To send it as it is: --no-check', exitCode: EXIT.usage },
  );
}
