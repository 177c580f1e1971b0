import type { KeyScope } from '@healthd/contract';
import { type Command, InvalidArgumentError } from 'commander';
import type { CreateKeyOptions, RotateKeyOptions } from '../actions/keys.js';
import type { Bind } from './bind.js';
import { withExamples } from './examples.js';
import { duration, list } from './values.js';

const SCOPES: KeyScope[] = ['read', 'write', 'push', 'assistant'];

/** `keys list|create|rename|rotate|revoke` */
export function addKeysCommands(program: Command, bind: Bind): void {
  const actions = () => import('../actions/keys.js');
  const keys = program
    .command('keys')
    .helpCommand(false)
    .description('API keys, with which your servers call the service. Requires a developer login.')
    .summary('list, create, rename, rotate and revoke API keys');
  withExamples(
    keys
      .command('list')
      .description('Lists API keys, newest first. The keys themselves are not stored and cannot be shown.')
      .summary('list API keys')
      .action(bind(async (cli) => (await actions()).listKeys(cli))),
    'healthctl keys list',
  );
  withExamples(
    keys
      .command('create')
      .description('Creates an API key and prints it: once, and never again.')
      .summary('create an API key')
      .option('--name <name>', 'what the key is for')
      .option('--scopes <names>', `what it may do: ${SCOPES.join(',')} (default: everything)`, scopes)
      .option('--expires <time>', 'when it ends, e.g. 2027-01-31T00:00:00Z (default: never)')
      .action(bind<[CreateKeyOptions]>(async (cli, options) => (await actions()).createKey(cli, options))),
    'healthctl keys create --name Backend --scopes read,write',
  );
  keys
    .command('rename')
    .description('Gives an API key another name.')
    .summary('rename an API key')
    .argument('<key>', 'id of the key or its beginning, its name or last four characters')
    .argument('<name>', 'the new name')
    .action(bind<[string, string]>(async (cli, key, name) => (await actions()).renameKey(cli, key, name)));
  withExamples(
    keys
      .command('rotate')
      .description(
        'Replaces an API key by a new one with the same name, scopes and expiry, and prints that: once, and never again.',
      )
      .summary('replace an API key by a new one')
      .argument('<key>', 'id of the key or its beginning, its name or last four characters')
      .option(
        '--grace <time>',
        'how long the old key still works, e.g. 2h, at most 720h (default: not at all)',
        duration,
      )
      .action(
        bind<[string, RotateKeyOptions]>(async (cli, key, options) => (await actions()).rotateKey(cli, key, options)),
      ),
    'healthctl keys rotate Backend',
  );
  withExamples(
    keys
      .command('revoke')
      .description('Ends an API key. Asks to repeat its name first.')
      .summary('end an API key')
      .argument('<key>', 'id of the key or its beginning, its name or last four characters')
      .option('-y, --yes', 'skip the confirmation')
      .action(
        bind<[string, { yes?: boolean }]>(async (cli, key, options) => (await actions()).revokeKey(cli, key, options)),
      ),
    'healthctl keys revoke Backend --yes',
  );
}

function scopes(text: string): KeyScope[] {
  const named = list(text);
  const wrong = named.find((name) => !SCOPES.some((scope) => scope === name));
  if (wrong !== undefined)
    throw new InvalidArgumentError(`There is no scope ${wrong}; there are ${SCOPES.join(', ')}.`);
  return named as KeyScope[];
}
