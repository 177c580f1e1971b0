import {
  createApiKey,
  deleteApiKey,
  type KeyScope,
  listApiKeys,
  renameApiKey,
  rotateApiKey,
  type Scope,
} from '@healthd/contract';
import { MS_PER_SECOND } from '@healthd/model';
import type { ApiKeyResponse } from '@healthd/schemas';
import { type Command, InvalidArgumentError } from 'commander';
import type { Cli } from '../cli.js';
import type { FieldPath } from '../output/fields.js';
import { at, Instant } from '../output/instant.js';
import { writeRecord, writeRows } from '../output/writer.js';
import { pickId } from '../service/pick.js';
import { confirmByTyping } from '../ui/confirm.js';
import type { Bind } from './bind.js';
import { withExamples } from './examples.js';
import { duration, list } from './values.js';

const SCOPES: KeyScope[] = ['read', 'write', 'push', 'assistant'];

/** `keys list|create|rename|rotate|revoke` */
export function addKeysCommands(program: Command, bind: Bind): void {
  const keys = program
    .command('keys')
    .helpCommand(false)
    .description('API keys that your servers use to call the service. Requires a developer login.')
    .summary('list, create, rename, rotate and revoke API keys');
  withExamples(
    keys
      .command('list')
      .description('Lists API keys, newest first. The full keys are not stored, so they cannot be shown.')
      .summary('list API keys')
      .action(bind(listKeys)),
    'healthctl keys list',
  );
  withExamples(
    keys
      .command('create')
      .description('Creates an API key and prints it. The key is shown only once.')
      .summary('create an API key')
      .option('--name <name>', 'purpose of the key')
      .option('--scopes <names>', `scopes of the key: ${SCOPES.join(',')} (default: all)`, scopes)
      .option('--expires <time>', 'expiry time, e.g. 2027-01-31T00:00:00Z (default: never)')
      .action(bind(createKey)),
    'healthctl keys create --name Backend --scopes read,write',
  );
  keys
    .command('rename')
    .description('Renames an API key.')
    .summary('rename an API key')
    .argument('<key>', 'id of the key or its prefix, its name or last four characters')
    .argument('<name>', 'the new name')
    .action(bind(renameKey));
  withExamples(
    keys
      .command('rotate')
      .description(
        'Replaces an API key with a new one that has the same name, scopes and expiry, and prints it. The key is shown only once.',
      )
      .summary('replace an API key with a new one')
      .argument('<key>', 'id of the key or its prefix, its name or last four characters')
      .option('--grace <time>', 'how long the old key still works, e.g. 2h, at most 720h (default: 0)', duration)
      .action(bind(rotateKey)),
    'healthctl keys rotate Backend',
  );
  withExamples(
    keys
      .command('revoke')
      .description('Revokes an API key. Asks you to type its name first.')
      .summary('revoke an API key')
      .argument('<key>', 'id of the key or its prefix, its name or last four characters')
      .option('-y, --yes', 'skip the confirmation')
      .action(bind(revokeKey)),
    'healthctl keys revoke Backend --yes',
  );
}

function scopes(text: string): KeyScope[] {
  const named = list(text);
  const wrong = named.find((name) => !SCOPES.some((scope) => scope === name));
  if (wrong !== undefined) throw new InvalidArgumentError(`Unknown scope ${wrong}. Use ${SCOPES.join(', ')}.`);
  return named as KeyScope[];
}

const FIELDS = [
  'id',
  'name',
  'prefix',
  'last_four',
  'scopes',
  'created_by',
  'created_at',
  'last_used_at',
  'expires_at',
  'replaced_by',
] as const satisfies FieldPath<ApiKeyResponse>[];

const SHAPE = {
  fields: FIELDS,
  columns: [
    { header: 'ID', cell: (key: ApiKeyResponse) => key.id, keep: true as const },
    { header: 'Name', cell: (key: ApiKeyResponse) => key.name, shrinkTo: 8 },
    { header: 'Key', cell: maskedText },
    { header: 'Scopes', cell: scopesText },
    { header: 'Last used', cell: (key: ApiKeyResponse) => at(key.last_used_at) },
    { header: 'Expires', cell: (key: ApiKeyResponse) => at(key.expires_at) },
    { header: 'Replaced by', cell: (key: ApiKeyResponse) => key.replaced_by?.slice(0, 8) },
  ],
  pairs: (key: ApiKeyResponse) =>
    [
      ['ID', key.id],
      ['Name', key.name],
      ['Key', maskedText(key)],
      ['Scopes', scopesText(key)],
      ['Created', at(key.created_at)],
      ['Last used', at(key.last_used_at)],
      ['Expires', at(key.expires_at)],
      ['Replaced by', key.replaced_by],
    ] as const,
};

const CREATED = {
  fields: [...FIELDS, 'key'] as const,
  pairs: (key: ApiKeyResponse & { key: string }) => [
    ['ID', key.id] as const,
    ['Name', key.name] as const,
    ['Key', key.key] as const,
    ['Scopes', scopesText(key)] as const,
    ['Expires', at(key.expires_at)] as const,
  ],
};

/** `healthctl keys list` */
async function listKeys(cli: Cli): Promise<void> {
  cli.willWrite(SHAPE);
  await writeRows(cli.sink, SHAPE, await allKeys(cli));
}

interface CreateKeyOptions {
  name?: string;
  scopes?: Scope[];
  expires?: string;
}

/** `healthctl keys create` */
async function createKey(cli: Cli, { name, scopes, expires }: CreateKeyOptions): Promise<void> {
  cli.willWrite(CREATED);
  const client = await cli.client();
  const body = { name, scopes, expires_at: expires };
  await showOnce(cli, await client.call(createApiKey, { body, signal: cli.signal }));
}

/** `healthctl keys rename` */
async function renameKey(cli: Cli, key: string, name: string): Promise<void> {
  cli.willWrite(SHAPE);
  const params = { key_id: await keyId(cli, key) };
  const client = await cli.client();
  await writeRecord(cli.sink, SHAPE, await client.call(renameApiKey, { params, body: { name }, signal: cli.signal }));
}

interface RotateKeyOptions {
  /** Seconds for which the old key still works. */
  grace?: number;
}

/** `healthctl keys rotate` */
async function rotateKey(cli: Cli, key: string, { grace }: RotateKeyOptions): Promise<void> {
  cli.willWrite(CREATED);
  const params = { key_id: await keyId(cli, key) };
  const client = await cli.client();
  const body = { grace_seconds: grace };
  const successor = await client.call(rotateApiKey, { params, body, signal: cli.signal });
  await showOnce(cli, successor);
  if (!grace) return cli.say('The old key no longer works.');
  cli.say(`The old key works until ${new Instant(oldKeyEnd(successor, grace)).text(cli.options.utc)}.`);
}

/**
 * Returns when a rotated key expires: after the grace period, but no later than its own expiry, which the new key
 * inherits.
 */
export function oldKeyEnd(
  { created_at, expires_at }: Pick<ApiKeyResponse, 'created_at' | 'expires_at'>,
  graceSeconds: number,
): string {
  const graceEndMs = Date.parse(created_at) + graceSeconds * MS_PER_SECOND;
  return new Date(expires_at ? Math.min(graceEndMs, Date.parse(expires_at)) : graceEndMs).toISOString();
}

/** `healthctl keys revoke` */
async function revokeKey(cli: Cli, key: string, { yes }: { yes?: boolean }): Promise<void> {
  cli.willWrite(SHAPE);
  const id = await keyId(cli, key, yes);
  const client = await cli.client();
  if (!yes) {
    const named = (await allKeys(cli)).find((one) => one.id === id);
    const name = named?.name || id;
    await confirmByTyping(cli, `The service will reject every call with the key ${name}.`, name, 'revoke');
  }
  const revoked = await client.call(deleteApiKey, { params: { key_id: id }, signal: cli.signal });
  cli.say(`Revoked ${maskedText(revoked)}.`);
  await writeRecord(cli.sink, { fields: FIELDS }, revoked);
}

async function allKeys(cli: Cli): Promise<ApiKeyResponse[]> {
  return (await cli.client()).call(listApiKeys, { signal: cli.signal });
}

async function keyId(cli: Cli, text: string, unasked?: boolean): Promise<string> {
  const keys = await allKeys(cli);
  const choices = keys.map((key) => ({
    id: key.id,
    label: `${key.name} ${maskedText(key)}`,
    names: [key.name],
    mark: key.last_four,
  }));
  return pickId(cli, 'key', text, choices, { unasked });
}

async function showOnce(cli: Cli, key: ApiKeyResponse & { key: string }): Promise<void> {
  await writeRecord(cli.sink, CREATED, key);
  cli.hint('Copy the key now. You cannot view it again.');
}

function maskedText({ prefix, last_four }: ApiKeyResponse): string {
  return `${prefix}…${last_four}`;
}

function scopesText({ scopes }: ApiKeyResponse): string {
  return scopes?.join(' ') ?? 'everything';
}
