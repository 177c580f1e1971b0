import type { Command } from 'commander';
import type { Bind } from './bind.js';
import { withExamples } from './examples.js';

/** `apps list|create|rotate-secret|delete` */
export function addAppsCommands(program: Command, bind: Bind): void {
  const actions = () => import('../actions/apps.js');
  const apps = program
    .command('apps')
    .helpCommand(false)
    .description('Applications, whose servers obtain the tokens with which phones push. Requires a developer login.')
    .summary('list, create and delete applications');
  withExamples(
    apps
      .command('list')
      .description('Lists applications, newest first.')
      .summary('list applications')
      .action(bind(async (cli) => (await actions()).listApps(cli))),
    'healthctl apps list',
  );
  withExamples(
    apps
      .command('create')
      .description('Creates an application and prints its secret: once, and never again.')
      .summary('create an application')
      .argument('<name>', 'name of the application')
      .action(bind<[string]>(async (cli, name) => (await actions()).createApp(cli, name))),
    'healthctl apps create Diary',
  );
  apps
    .command('rotate-secret')
    .description('Replaces the secret of an application by a new one and prints that. The old one ends.')
    .summary('replace the secret of an application')
    .argument('<app>', 'app id or its beginning, or the name')
    .action(bind<[string]>(async (cli, app) => (await actions()).rotateSecret(cli, app)));
  apps
    .command('delete')
    .description('Deletes an application. Asks to repeat its name first.')
    .summary('delete an application')
    .argument('<app>', 'app id or its beginning, or the name')
    .option('-y, --yes', 'skip the confirmation')
    .action(
      bind<[string, { yes?: boolean }]>(async (cli, app, options) => (await actions()).deleteApp(cli, app, options)),
    );
}
