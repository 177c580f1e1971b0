import { currentDeveloper, listUsers } from '@healthd/contract';
import type { Cli } from '../cli.js';
import { EXIT } from '../exit-codes.js';
import { failureOf } from '../failure.js';
import { Outcome } from '../outcome.js';
import { type RecordShape, writeRecord } from '../output/writer.js';
import type { Connection } from '../profile/connection.js';

/** The caller, as `whoami` shows it. Secrets appear as their last four characters. */
interface Identity {
  url: string;
  url_from: string;
  context: string | null;
  developer: string | null;
  api_key: string | null;
  /** Whether the service accepts the credential. */
  accepted: boolean;
}

const SHAPE = {
  fields: ['url', 'url_from', 'context', 'developer', 'api_key', 'accepted'],
  pairs: (who: Identity) =>
    [
      ['Service', `${who.url} (${who.url_from})`],
      ['Context', who.context],
      ['Developer', who.developer],
      ['API key', who.api_key],
      ['Accepted', who.accepted ? 'yes' : 'no'],
    ] as const,
} satisfies RecordShape<Identity>;

/** `healthctl whoami` */
export async function whoami(cli: Cli): Promise<void> {
  cli.willWrite(SHAPE);
  const connection = await cli.connection();
  const developer = await developerOf(cli, connection);
  const key = keyOf(connection);
  const keyAccepted = key === undefined ? undefined : await accepts(cli);
  const identity: Identity = {
    url: connection.url,
    url_from: connection.urlOrigin,
    context: connection.contextName ?? null,
    developer: developer ?? null,
    api_key: key ? `sk-…${key.slice(-4)}` : null,
    accepted: keyAccepted ?? developer !== undefined,
  };
  await writeRecord(cli.sink, SHAPE, identity);
  if (identity.accepted) return;
  cli.insist('Not logged in. Run `healthctl login`.');
  throw new Outcome(EXIT.denied);
}

function keyOf({ token, stored }: Connection): string | undefined {
  if (token) return token.startsWith('sk-') ? token : undefined;
  return stored?.api_key;
}

/** Email of the developer, or undefined when no one is logged in as one. */
async function developerOf(cli: Cli, { token, stored }: Connection): Promise<string | undefined> {
  const hasLogin = token ? !token.startsWith('sk-') : stored?.refresh_token !== undefined;
  if (!hasLogin) return undefined;
  return unlessDenied(async () => (await (await cli.client()).call(currentDeveloper, { signal: cli.signal })).email);
}

async function accepts(cli: Cli): Promise<boolean> {
  const answer = await unlessDenied(async () => (await cli.client()).call(listUsers, { query: { limit: 1 } }));
  return answer !== undefined;
}

async function unlessDenied<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (failureOf(error).exitCode === EXIT.denied) return undefined;
    throw error;
  }
}
