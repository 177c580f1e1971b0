#!/usr/bin/env node
import './small-heap.js';

import { Command, Option } from 'commander';
import { failureLines } from './commands/failure-lines.js';
import { ROLES, type Role } from './role.js';
import { settingsHelp } from './settings.js';
import { VERSION } from './version.js';

const program = new Command('healthd')
  .description('Stores health data of your users and serves it through one REST API.')
  .version(VERSION, '-V, --version', 'print the version')
  .helpOption('-h, --help', 'print this help')
  .addOption(new Option('--role <role>', 'what this process does').choices(ROLES).default('all'))
  .addHelpText('after', () => `\n${settingsHelp()}`)
  .showHelpAfterError('(healthd --help lists commands and settings)')
  .action(async ({ role }: { role: Role }) => (await import('./commands/start.js')).start(role));

program
  .command('backup <file>')
  .description('write all data and keys to one file; the service may be running')
  .action(async (file: string) => (await import('./commands/backup.js')).backup(file));

program
  .command('restore <file>')
  .description('put a backup into an empty data directory or database')
  .action(async (file: string) => (await import('./commands/backup.js')).restore(file));

program
  .command('keys')
  .description('print new keys for an environment file, as DATABASE_URL needs them')
  .action(async () => void process.stdout.write((await import('./keys.js')).newKeysFile()));

program
  .command('admin')
  .description('maintenance of accounts')
  .command('reset-password <email>')
  .description('give a developer account a new password and end its sessions')
  .action(async (email: string) => (await import('./commands/reset-password.js')).resetPassword(email));

program.parseAsync().catch((error: unknown) => {
  const { lines, exitCode } = failureLines(error);
  for (const line of lines) console.error(line);
  process.exit(exitCode);
});
