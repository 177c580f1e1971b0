import { Command, CommanderError, Option } from 'commander';
import { Cli, type GlobalOptions } from './cli.js';
import { addAccountCommands } from './commands/account.js';
import { addApiCommand } from './commands/api.js';
import { addAuditCommands } from './commands/audit.js';
import type { Bind } from './commands/bind.js';
import { addConnectionsCommands } from './commands/connections.js';
import { addCoverageCommand } from './commands/coverage.js';
import { addDataCommands } from './commands/data.js';
import { addDoctorCommand } from './commands/doctor.js';
import { addHelpCommand } from './commands/help.js';
import { addImportCommand } from './commands/import.js';
import { addMcpCommand } from './commands/mcp.js';
import { addProvidersCommands } from './commands/providers.js';
import { addRunsCommands } from './commands/runs.js';
import { addSettingsCommands } from './commands/settings.js';
import { addSyncCommands } from './commands/sync.js';
import { addUsersCommands } from './commands/users.js';
import { addVersionCommand } from './commands/version.js';
import { addWhyCommand } from './commands/why.js';
import type { Interrupt } from './interrupt.js';
import { FORMATS } from './output/format.js';
import { VERSION } from './version.js';

/** The whole command tree. Modules that do the work are loaded when their command runs. */
export function buildProgram(interrupt: Interrupt): Command {
  const program = new Command('healthctl')
    .description('Works with a healthd service from the command line: users, imports, data.')
    .version(VERSION, '-V, --version', 'print the version of healthctl')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .showHelpAfterError(false)
    .exitOverride()
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .configureOutput({ outputError: () => undefined })
    .addOption(
      new Option('-o, --output <format>', 'form of the data; a table on a terminal, else json').choices(FORMATS),
    )
    .option('--json [fields]', 'short for --output json; with fields like id,email only those')
    .addOption(new Option('--color <when>', 'colours: auto, on or off').choices(['auto', 'on', 'off']).default('auto'))
    .option('--context <name>', 'use this context of the profile')
    .option('--url <address>', 'address of the service, e.g. https://health.example.org')
    .option('--no-input', 'never ask; fail where an answer is needed')
    .option('--debug', 'print every request with its status, time and request id')
    .addHelpText('after', FOOTER);
  const bind: Bind =
    (action) =>
    (...input) =>
      action(new Cli(program.opts<GlobalOptions>(), interrupt), ...input);
  addAccountCommands(program, bind);
  addUsersCommands(program, bind);
  addConnectionsCommands(program, bind);
  addProvidersCommands(program, bind);
  addImportCommand(program, bind);
  addSyncCommands(program, bind);
  addRunsCommands(program, bind);
  addDataCommands(program, bind);
  addCoverageCommand(program, bind);
  addAuditCommands(program, bind);
  addSettingsCommands(program, bind);
  addWhyCommand(program, bind);
  addDoctorCommand(program, bind);
  addApiCommand(program, bind);
  addMcpCommand(program, bind);
  addVersionCommand(program, bind);
  addHelpCommand(program);
  return program;
}

/** Whether commander stopped because it had printed what was requested. */
export function isAnswered(error: unknown): boolean {
  return error instanceof CommanderError && error.exitCode === 0;
}

const FOOTER = `
Environment:
  HEALTHCTL_URL    address of the service
  HEALTHCTL_TOKEN  API key (sk-…) or access token, instead of the profile
  NO_COLOR         no colours

Begin with:
  healthctl doctor
  healthctl users create --email anna@example.org
  healthctl import export.zip --user <id>
  healthctl data activity --user <id> --from 14d
`;
