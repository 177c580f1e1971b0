import type { Command } from 'commander';
import type { Bind } from './bind.js';

/** `doctor` */
export function addDoctorCommand(program: Command, bind: Bind): void {
  program
    .command('doctor')
    .description(
      'Checks the whole way from here to the data: address, service, database, jobs, credentials, clocks, data, console. Says of everything that is wrong what to do. Ends with 1 when a check fails.',
    )
    .summary('check the service and the way to it')
    .action(bind(async (cli) => (await import('../actions/doctor.js')).doctor(cli)));
}
