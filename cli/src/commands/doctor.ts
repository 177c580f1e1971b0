import type { Command } from 'commander';
import type { Bind } from './bind.js';

/** `doctor` */
export function addDoctorCommand(program: Command, bind: Bind): void {
  program
    .command('doctor')
    .description(
      'Checks the whole way from here to the data: address, service, versions, clocks, disks, jobs, secrets, credentials, API keys, runs, consents, webhooks, providers and their quotas, console. Says what to do about everything that is wrong. Ends with 1 when a check fails. All checks need a developer login.',
    )
    .summary('check the service and the way to it')
    .action(bind(async (cli) => (await import('../actions/doctor.js')).doctor(cli)));
}
