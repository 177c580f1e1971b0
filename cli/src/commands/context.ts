import type { Command } from 'commander';
import type { Bind } from './bind.js';
import { withExamples } from './examples.js';

/** `context list|use|add|remove`, `config` */
export function addContextCommands(program: Command, bind: Bind): void {
  const actions = () => import('../actions/contexts.js');
  const context = program
    .command('context')
    .helpCommand(false)
    .description('Services that healthctl knows, by name. `healthctl login` adds one too.')
    .summary('list, choose, add and remove services');
  withExamples(
    context
      .command('list')
      .description('Lists the contexts of the profile, without secrets.')
      .summary('list contexts')
      .action(bind(async (cli) => (await actions()).listContexts(cli))),
    'healthctl context list',
  );
  context
    .command('use')
    .description('Chooses the context that is used where none is named.')
    .summary('choose a context')
    .argument('<name>', 'name of the context')
    .action(bind<[string]>(async (cli, name) => (await actions()).useContext(cli, name)));
  withExamples(
    context
      .command('add')
      .description('Adds a context. It has no credential before `healthctl login --context <name>`.')
      .summary('add a context')
      .argument('<name>', 'name of the context')
      .argument('<address>', 'address of the service, e.g. https://health.example.org')
      .action(bind<[string, string]>(async (cli, name, address) => (await actions()).addContext(cli, name, address))),
    'healthctl context add clinic https://clinic.example.org',
  );
  withExamples(
    context
      .command('remove')
      .description('Removes a context and what is stored for it.')
      .summary('remove a context')
      .argument('<name>', 'name of the context')
      .action(bind<[string]>(async (cli, name) => (await actions()).removeContext(cli, name))),
    'healthctl context remove clinic',
  );
  program
    .command('config')
    .description(
      'Shows what healthctl works with: the address, the context and the credential. A flag takes precedence over the environment, the environment over .healthctl.json of the folder or one above it, and that file over the profile.',
    )
    .summary('show what healthctl works with')
    .option('--show-origin', 'where each value was found')
    .action(bind<[{ showOrigin?: boolean }]>(async (cli, options) => (await actions()).showConfig(cli, options)));
}
