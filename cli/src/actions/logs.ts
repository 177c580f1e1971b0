import { listRecentSyncEvents, type SyncSource, type SyncStatus } from '@healthd/contract';
import type { SyncStatusEvent } from '@healthd/schemas';
import type { Cli } from '../cli.js';
import { NO_FIELDS } from '../output/fields.js';
import { pastEvents, syncEvents } from '../service/event-stream.js';
import { eventLine } from './event-line.js';

/** The service gives no more of the past. */
const LARGEST_REPLAY = 200;

export interface TailOptions {
  user?: string;
  provider?: string;
  source?: SyncSource;
  status?: SyncStatus;
  limit: number;
  follow: boolean;
}

/** `healthctl logs tail`: steps of the runs of one user or of all users. */
export async function tail(cli: Cli, options: TailOptions): Promise<void> {
  cli.willWrite(NO_FIELDS);
  cli.interrupt.parting = undefined;
  for await (const step of await stepsOf(cli, options)) {
    await cli.sink.write(cli.forPeople ? eventLine(cli, step) : `${JSON.stringify(step)}\n`);
  }
}

async function stepsOf(cli: Cli, options: TailOptions): Promise<AsyncIterable<SyncStatusEvent> | SyncStatusEvent[]> {
  const client = await cli.client();
  const { user, provider, source, status } = options;
  const replay = Math.min(options.limit, LARGEST_REPLAY);
  const { signal } = cli;
  if (options.follow)
    return syncEvents(client, { user, provider, source, status, replay, signal, resume: commandOf(options) });
  if (user === undefined) return pastEvents(client, { provider, source, status, replay, signal });
  const newest = await client.call(listRecentSyncEvents, {
    params: { user_id: user },
    // The service knows the providers; its answer to a wrong one lists them.
    query: { limit: replay, source, status, provider: provider as 'google' | undefined },
    signal,
  });
  return newest.toReversed();
}

function commandOf({ user, provider, source, status }: TailOptions): string {
  const options = Object.entries({ user, provider, source, status }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${value}`],
  );
  return ['healthctl logs tail', ...options].join(' ');
}
