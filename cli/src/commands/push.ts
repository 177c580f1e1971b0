import type { Command } from 'commander';
import type { PushOptions } from '../actions/push.js';
import type { Bind } from './bind.js';
import { withExamples } from './examples.js';
import { duration, userOption } from './values.js';

/** `push <file>` */
export function addPushCommand(program: Command, bind: Bind): void {
  withExamples(
    program
      .command('push')
      .description(
        'Sends a batch as the app on a phone does, and follows its run to the end. The file is checked first against what the service declares; every place that is wrong is named, and nothing is sent then. The same file sent twice is stored once.',
      )
      .summary('send a batch as a phone does')
      .argument('<file>', 'JSON with provider, sdkVersion, syncTimestamp and data; - reads stdin')
      .addOption(userOption())
      .option('--no-check', 'send it as it is')
      .option('--dry-run', 'only check, send nothing')
      .option('--no-wait', 'end as soon as the service has stored the batch')
      .option('--timeout <time>', 'maximum time to wait, e.g. 15m', duration)
      .action(
        bind<[string, PushOptions]>(async (cli, file, options) =>
          (await import('../actions/push.js')).push(cli, file, options),
        ),
      ),
    'healthctl push batch.json --user anna@example.org',
  );
}
