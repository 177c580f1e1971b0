import type { LiveSyncMode } from '@healthd/contract';
import { type Command, Option } from 'commander';
import type { PrioritiesOptions, SetPrioritiesOptions } from '../actions/priorities.js';
import type { TermsOptions } from '../actions/provider-terms.js';
import type { ListProvidersOptions, SetProviderOptions } from '../actions/providers.js';
import type { Bind } from './bind.js';
import { withExamples } from './examples.js';
import { userId } from './values.js';

/** `providers list|show|set|enable|disable|terms|priorities|set-priorities` */
export function addProvidersCommands(program: Command, bind: Bind): void {
  const actions = () => import('../actions/providers.js');
  const providers = program
    .command('providers')
    .helpCommand(false)
    .description('Where data can come from, and how each provider is used.')
    .summary('list providers, set how they are used');
  withExamples(
    providers
      .command('list')
      .description('Lists providers that can be used.')
      .summary('list providers')
      .option('--all', 'include clouds whose credentials are not set')
      .action(bind<[ListProvidersOptions]>(async (cli, options) => (await actions()).listProviders(cli, options))),
    'healthctl providers list --all',
  );
  withExamples(
    providers
      .command('show')
      .description('Shows how one provider is used.')
      .summary('show one provider')
      .argument('<provider>', 'name of the provider')
      .action(bind<[string]>(async (cli, provider) => (await actions()).showProvider(cli, provider))),
    'healthctl providers show google',
  );
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
    .addOption(new Option('--disable', 'let no one connect, and stop syncs').conflicts('enable'))
    .option('--dry-run', 'change nothing, only show whom it concerns: connections, users, days and samples')
    .action(
      bind<[string, SetProviderOptions]>(async (cli, provider, options) =>
        (await actions()).setProvider(cli, provider, options),
      ),
    );
  providers
    .command('enable')
    .description('Lets people connect to providers, and sync. Requires a developer login.')
    .summary('let people connect and sync')
    .argument('<providers...>', 'names of providers')
    .action(bind<[string[]]>(async (cli, names) => (await actions()).switchProviders(cli, names, true)));
  providers
    .command('disable')
    .description('Lets no one connect to providers, and stops syncs; what is stored stays. Requires a developer login.')
    .summary('let no one connect, and stop syncs')
    .argument('<providers...>', 'names of providers')
    .option('--dry-run', 'change nothing, only show whom it concerns: connections, users, days and samples')
    .action(
      bind<[string[], { dryRun?: boolean }]>(async (cli, names, { dryRun }) =>
        dryRun ? (await actions()).showConnected(cli, names) : (await actions()).switchProviders(cli, names, false),
      ),
    );
  const terms = () => import('../actions/provider-terms.js');
  withExamples(
    providers
      .command('terms')
      .description(
        'Shows what the terms of vendors oblige the operator to. A term that deletes data or hides it from summaries asks first and acts only after it was accepted. To override a term takes a reason, which the audit trail keeps. Changes require a developer login.',
      )
      .summary('show, override and answer the terms of vendors')
      .argument('[provider]', 'name of the provider')
      .option('--set <term=value>', 'override a term; the value none lifts it')
      .option('--reason <text>', 'why the term is overridden')
      .option('--reset <term>', 'remove the override of a term')
      .option('--accept <term>', 'let combine, cache_days or on_disconnect act')
      .option('--decline <term>', 'never let it act')
      .option('-y, --yes', 'skip the confirmation')
      .action(
        bind<[string | undefined, TermsOptions]>(async (cli, provider, options) =>
          (await terms()).providerTerms(cli, provider, options),
        ),
      ),
    'healthctl providers terms strava',
  );
  const priorities = () => import('../actions/priorities.js');
  withExamples(
    providers
      .command('priorities')
      .description(
        'Shows the order of providers that decides where several have the same data, best first. Requires a developer login.',
      )
      .summary('show the order of providers')
      .option('--devices', 'kinds of devices in place of providers')
      .action(bind<[PrioritiesOptions]>(async (cli, options) => (await priorities()).showPriorities(cli, options))),
    'healthctl providers priorities',
  );
  withExamples(
    providers
      .command('set-priorities')
      .description(
        'Sets the order of providers that decides where several have the same data: the lowest number wins. It applies from the next request on, to all users and also to past days. Names with numbers leave the others as they are; a list puts the others behind, in their present order. Asks first, with the numbers of users, days and nights that change. Requires a developer login.',
      )
      .summary('set the order of providers')
      .argument('<priorities...>', 'names with numbers: garmin=1 google=2; or one list, best first: garmin,google')
      .option('--devices', 'kinds of devices in place of providers')
      .option(
        '--dry-run',
        'change nothing, only show how many users, days of activity, nights and samples it concerns; recovery, body values and archival are not counted',
      )
      .option('-y, --yes', 'skip the confirmation')
      .addOption(
        new Option(
          '-u, --user <id>',
          'with --dry-run: days and nights of the last 30 days of this user that would change',
        ).argParser(userId),
      )
      .action(
        bind<[string[], SetPrioritiesOptions]>(async (cli, texts, options) =>
          (await priorities()).setPriorities(cli, texts, options),
        ),
      ),
    'healthctl providers set-priorities apple,google --yes',
    'healthctl providers set-priorities google=1 --dry-run',
    'healthctl providers set-priorities google=1 --dry-run --user anna@example.org',
  );
}
