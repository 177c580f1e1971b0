import type { Command } from 'commander';
import type { SupportBundleOptions } from '../actions/support-bundle.js';
import type { Bind } from './bind.js';

/** `support-bundle` */
export function addSupportBundleCommand(program: Command, bind: Bind): void {
  program
    .command('support-bundle')
    .description(
      'Saves what others need to find a fault: what doctor finds, versions, how providers are used, amounts, and the last 200 runs. Secrets, names, e-mail addresses and health values are left out.',
    )
    .summary('save what helps to find a fault')
    .option('--out <file>', 'file to write, which must not exist (default: healthctl-support-<date>.json)')
    .action(
      bind<[SupportBundleOptions]>(async (cli, options) =>
        (await import('../actions/support-bundle.js')).supportBundle(cli, options),
      ),
    );
}
