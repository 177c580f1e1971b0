import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { getArchivalSettings, getDashboardStats, listProviders, listSyncRuns } from '@healthd/contract';
import type { Command } from 'commander';
import type { Cli } from '../cli.js';
import { CliError, failureOf } from '../failure.js';
import { writeRecord } from '../output/writer.js';
import { examine } from '../service/examination.js';
import type { Finding } from '../service/findings.js';
import { withoutSecrets } from '../service/without-secrets.js';
import { bytesText } from '../ui/amounts.js';
import { VERSION } from '../version.js';
import type { Bind } from './bind.js';

/** `support-bundle` */
export function addSupportBundleCommand(program: Command, bind: Bind): void {
  program
    .command('support-bundle')
    .description(
      'Saves information for support: doctor results, versions, provider settings, counts, and the last 200 runs. Leaves out secrets, names, email addresses and health values.',
    )
    .summary('save information for support')
    .option('--out <file>', 'file to write, which must not exist (default: healthctl-support-<date>.json)')
    .action(bind(supportBundle));
}

const RUNS = 200;

const SAVED = { fields: ['file', 'bytes'] as const };

interface SupportBundleOptions {
  out?: string;
}

/** `healthctl support-bundle`: saves information for support, without secrets, names and health values. */
async function supportBundle(cli: Cli, options: SupportBundleOptions): Promise<void> {
  cli.willWrite(SAVED);
  const now = new Date();
  const file = resolve(options.out ?? `healthctl-support-${now.toISOString().slice(0, 10)}.json`);
  const findings: Finding[] = [];
  for await (const finding of examine(cli)) findings.push(finding);
  const client = await cli.client();
  const { signal } = cli;
  const { url, urlOrigin } = await cli.connection();
  const bundle = {
    made_at: now.toISOString(),
    healthctl: VERSION,
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    address: { url, from: urlOrigin },
    doctor: findings,
    providers: await attempt(() => client.call(listProviders, { query: { include_unconfigured: true }, signal })),
    amounts: await attempt(() => client.call(getDashboardStats, { signal })),
    storage: await attempt(async () => (await client.call(getArchivalSettings, { signal })).storage),
    runs: await attempt(async () =>
      (await client.call(listSyncRuns, { query: { limit: RUNS }, signal })).map((run) => ({
        run_id: run.run_id,
        provider: run.provider,
        source: run.source,
        stage: run.stage,
        status: run.status,
        error: run.error,
        retrying: run.retrying,
        items_processed: run.items_processed,
        started_at: run.started_at,
        ended_at: run.ended_at,
      })),
    ),
  };
  const text = withoutSecrets(`${JSON.stringify(bundle, null, 2)}\n`);
  await save(file, text);
  const bytes = Buffer.byteLength(text);
  cli.say(`Saved ${bytesText(bytes)} to ${file}. Read it before you send it.`);
  await writeRecord(cli.sink, SAVED, { file, bytes });
}

/** Reads one part of a bundle. A failed part contains the error and does not affect the others. */
async function attempt<T>(request: () => Promise<T>): Promise<T | { failed: string }> {
  return request().catch((error: unknown) => ({ failed: failureOf(error).message }));
}

async function save(path: string, text: string): Promise<void> {
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(text);
    } finally {
      await file.close();
    }
  } catch (error) {
    const exists = (error as NodeJS.ErrnoException).code === 'EEXIST';
    const message = exists ? `${path} already exists.` : `Cannot write ${path}.`;
    throw new CliError('file_exists', message, { hint: 'Pass another file with --out.', cause: error });
  }
}
