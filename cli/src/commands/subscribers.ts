import type { Command } from 'commander';
import type { Bind } from './bind.js';

const PROVIDER = 'name of the provider, e.g. google';

/** `subscribers list|show|register|update|delete|renew` */
export function addSubscribersCommands(program: Command, bind: Bind): void {
  const actions = () => import('../actions/subscribers.js');
  const subscribers = program
    .command('subscribers')
    .helpCommand(false)
    .description(
      'Registrations at vendors: to which address a vendor reports new data. They are made by the service itself in webhook mode; this is for those that it does not manage. Requires a developer login.',
    )
    .summary('where vendors report new data');
  subscribers
    .command('list')
    .description('Lists the registrations at a vendor, as the vendor shows them.')
    .summary('list registrations')
    .argument('<provider>', PROVIDER)
    .action(bind<[string]>(async (cli, provider) => (await actions()).listSubscribers(cli, provider)));
  subscribers
    .command('show')
    .description('Shows one registration.')
    .summary('show one registration')
    .argument('<provider>', PROVIDER)
    .argument('<id>', 'id of the registration')
    .action(bind<[string, string]>(async (cli, provider, id) => (await actions()).showSubscriber(cli, provider, id)));
  subscribers
    .command('register')
    .description('Registers an address at a vendor, or brings the registered one up to date.')
    .summary('register an address at a vendor')
    .argument('<provider>', PROVIDER)
    .argument('<address>', 'https address of this service that the vendor can reach')
    .addHelpText(
      'after',
      '\nExample:\n  healthctl subscribers register google https://health.example.org/api/v1/providers/google/webhooks\n',
    )
    .action(
      bind<[string, string]>(async (cli, provider, address) =>
        (await actions()).registerSubscriber(cli, provider, address),
      ),
    );
  subscribers
    .command('update')
    .description('Gives a registration another address.')
    .summary('change the address of a registration')
    .argument('<provider>', PROVIDER)
    .argument('<id>', 'id of the registration')
    .argument('<address>', 'https address of this service that the vendor can reach')
    .action(
      bind<[string, string, string]>(async (cli, provider, id, address) =>
        (await actions()).updateSubscriber(cli, provider, id, address),
      ),
    );
  subscribers
    .command('delete')
    .description('Takes a registration off. Asks to repeat its id first.')
    .summary('take a registration off')
    .argument('<provider>', PROVIDER)
    .argument('<id>', 'id of the registration')
    .option('-y, --yes', 'skip the confirmation')
    .action(
      bind<[string, string, { yes?: boolean }]>(async (cli, provider, id, options) =>
        (await actions()).deleteSubscriber(cli, provider, id, options),
      ),
    );
  subscribers
    .command('renew')
    .description(
      'Renews the registrations of a vendor that ends them after a time, as Oura does. The service renews them by itself in webhook mode.',
    )
    .summary('renew registrations that end by themselves')
    .argument('<provider>', PROVIDER)
    .action(bind<[string]>(async (cli, provider) => (await actions()).renewSubscribers(cli, provider)));
}
