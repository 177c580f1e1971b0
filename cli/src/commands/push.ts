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
        'Sends a batch as a phone app does, and follows its run until it ends. Checks the file against the service’s schema first; if anything is invalid, lists every error and sends nothing. A file sent twice is stored once.',
      )
      .summary('send a batch as a phone does')
      .argument('<file>', 'JSON with provider, sdkVersion, syncTimestamp and data; - reads stdin')
      .addOption(userOption())
      .option('--no-check', 'send the file without a check')
      .option('--dry-run', 'only check the file, send nothing')
      .option('--no-wait', 'exit as soon as the service has stored the batch')
      .option('--timeout <time>', 'maximum time to wait, e.g. 15m', duration)
      .action(bind(push)),
    'healthctl push batch.json --user anna@example.org',
  );
}

/** Maximum number of listed errors. The others are counted. */
const LISTED = 20;

interface PushOptions {
  user: string;
  /** False to send the file without a check. */
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
      ['Response', response],
    ] as const,
} satisfies RecordShape<UploadResponse>;

/** `healthctl push`: checks a batch and sends it as a phone does. */
async function push(cli: Cli, path: string, options: PushOptions): Promise<void> {
  cli.willWrite(options.wait ? NO_FIELDS : SHAPE);
  const text = path === '-' ? await readStdin() : await textOf(path);
  const batch = parsed(path, text);
  if (options.check) await check(cli, path, batch);
  if (options.dryRun) return cli.say('The batch is valid. Nothing was sent.');
  const client = await cli.client();
  // The key is a hash of the file, so sending the same file twice counts as one batch.
  const headers = { 'Idempotency-Key': createHash('sha256').update(text).digest('hex') };
  const params = { user_id: options.user };
  const response = await client.send(pushDeviceData, { params, body: batch as never, signal: cli.signal }, headers);
  const result = (await response.json()) as UploadResponse;
  if (options.wait && result.batch_id !== null) return followToEnd(cli, result.batch_id, options.timeout, 'Storing');
  await writeRecord(cli.sink, SHAPE, result);
  if (result.batch_id !== null) cli.hint(`Result: healthctl runs show ${result.batch_id}`);
}

async function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const what = error.code === 'ENOENT' ? `File ${path} not found.` : `Cannot read ${path}.`;
    throw new CliError('file_unreadable', what, { exitCode: EXIT.usage, cause: error });
  });
}

function parsed(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CliError('json_invalid', `${path} is not JSON: ${(error as Error).message}`, { exitCode: EXIT.usage });
  }
}

/** @throws CliError `payload_invalid` with every error */
async function check(cli: Cli, path: string, batch: unknown): Promise<void> {
  const { payloadProblems } = await import('../service/push-check.js');
  const problems = payloadProblems(batch);
  if (problems.length === 0) return;
  for (const problem of problems.slice(0, LISTED)) cli.insist(`  ${problem}`);
  const more = problems.length > LISTED ? ` The first ${LISTED} are listed above.` : '';
  throw new CliError(
    'payload_invalid',
    `${path} is invalid in ${problems.length} places.${more} First: ${problems[0]}`,
    {
      hint: 'The service would reject these items and store all others. Pass --no-check to send the file anyway.',
      exitCode: EXIT.usage,
    },
  );
}
