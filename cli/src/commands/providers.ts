import type { LiveSyncMode } from '@healthd/contract';
import { type Command, Option } from 'commander';
import type { ListProvidersOptions, SetProviderOptions } from '../actions/providers.js';
import type { Bind } from './bind.js';

/** `providers list|set` */
export function addProvidersCommands(program: Command, bind: Bind): void {
  const actions = () => import('../actions/providers.js');
  const providers = program
    .command('providers')
    .helpCommand(false)
    .description('Where data can come from, and how each provider is used.')
    .summary('list providers, set how they are used');
  providers
    .command('list')
    .description('Lists providers that can be used.')
    .summary('list providers')
    .option('--all', 'include clouds whose credentials are not set')
    .action(bind<[ListProvidersOptions]>(async (cli, options) => (await actions()).listProviders(cli, options)));
  providers
    .command('set')
    .description(
      'Sets how a provider is used; what is not named stays. In webhook mode the vendor reports changes; polling goes on ' +
        'until it does. Requires a developer login.',
    )
    .summary('set how a provider is used')
    .argument('<provider>', 'name of the provider')
    .addOption(
      new Option('--mode <mode>', 'how new data arrives: by polling or by webhooks').choices([
        'pull',
        'webhook',
      ] satisfies LiveSyncMode[]),
    )
    .addOption(new Option('--granularity <grain>', 'granularity of the data').choices(['raw', 'hourly', 'daily']))
    .option('--enable', 'let people connect, and sync')
    .addOption(new Option('--disable', 'neither connect nor sync').conflicts('enable'))
    .action(
      bind<[string, SetProviderOptions]>(async (cli, provider, options) =>
        (await actions()).setProvider(cli, provider, options),
      ),
    );
}
