import { type Command, Option } from 'commander';
import type { TailOptions } from '../actions/logs.js';
import type { Bind } from './bind.js';
import { sourceOption, statusOption } from './run-filters.js';
import { positive, userId } from './values.js';

/** `logs tail` */
export function addLogsCommands(program: Command, bind: Bind): void {
  program
    .command('logs')
    .helpCommand(false)
    .description('What imports, syncs and pushes do, as it happens.')
    .summary('see what runs do, as it happens')
    .command('tail')
    .description(
      'Prints the last steps of runs, then each new one as it happens, until Ctrl-C: of all users, or of one. Steps that pass the filters are looked for among the newest 10,000. In a pipe one JSON object a line.',
    )
    .summary('follow what runs do')
    .addOption(new Option('-u, --user <id>', 'only runs of this user').argParser(userId))
    .option('--provider <name>', 'only runs of this provider')
    .addOption(sourceOption('only runs of this kind'))
    .addOption(statusOption('only steps in this state'))
    .option('--limit <n>', 'how many steps of the past first, up to 200', positive, 20)
    .option('--no-follow', 'end after those of the past')
    .addHelpText(
      'after',
      '\nExamples:\n  healthctl logs tail --user anna@example.org --no-follow\n  healthctl logs tail --provider google --status failed --no-follow\n',
    )
    .action(bind<[TailOptions]>(async (cli, options) => (await import('../actions/logs.js')).tail(cli, options)));
}
