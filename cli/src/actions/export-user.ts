import { randomBytes } from 'node:crypto';
import { access, open, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { exportUser as exportRoute } from '@healthd/contract';
import type { Cli } from '../cli.js';
import { CliError } from '../failure.js';
import { writeRecord } from '../output/writer.js';
import { bytesText } from '../ui/amounts.js';

export interface ExportUserOptions {
  out?: string;
}

const SAVED = { fields: ['user_id', 'file', 'bytes'] as const };

/** `healthctl users export` */
export async function exportUser(cli: Cli, id: string, options: ExportUserOptions): Promise<void> {
  cli.willWrite(SAVED);
  const file = resolve(options.out ?? `healthd-${id}.zip`);
  await refuseExisting(file);
  const client = await cli.client();
  const response = await client.send(exportRoute, { params: { user_id: id }, signal: cli.signal });
  const bytes = await save(response, file);
  cli.say(`Saved ${bytesText(bytes)} to ${file}. It holds health data: keep it safe.`);
  await writeRecord(cli.sink, SAVED, { user_id: id, file, bytes });
}

/** The file appears under its name only when all of it is there, and for its owner alone. */
async function save(response: Response, file: string): Promise<number> {
  const draft = `${file}.${randomBytes(4).toString('hex')}.part`;
  const handle = await open(draft, 'wx', 0o600);
  let bytes = 0;
  try {
    for await (const chunk of Readable.fromWeb(response.body as never) as AsyncIterable<Uint8Array>) {
      await handle.appendFile(chunk);
      bytes += chunk.length;
    }
    await handle.sync();
    await refuseExisting(file);
    await rename(draft, file);
    return bytes;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // What fetch throws when the connection breaks in the middle.
    throw new CliError('export_cut_off', 'The download was cut off; nothing was saved.', {
      hint: 'Run the command again. If it fails again, the log of the service says why.',
      cause: error,
    });
  } finally {
    await handle.close();
    await rm(draft, { force: true });
  }
}

async function refuseExisting(file: string): Promise<void> {
  const there = await access(file).then(
    () => true,
    () => false,
  );
  if (there) throw new CliError('file_exists', `${file} exists already.`, { hint: 'Name another file with --out.' });
}
