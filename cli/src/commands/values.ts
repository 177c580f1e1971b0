import { SECONDS_PER_HOUR } from '@healthd/model';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { EXIT } from '../exit-codes.js';
import { CliError } from '../failure.js';
import { Reference } from './reference.js';

const UUID = /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i;

/** Parses a whole number of at least 1. */
export function positive(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Enter a whole number of at least 1.');
  return Number(text);
}

/** Parses `90`, `90s`, `15m` or `2h` to seconds. */
export function duration(text: string): number {
  const [, amount, unit] = /^(\d{1,7})([smh]?)$/.exec(text) ?? [];
  if (amount === undefined) throw new InvalidArgumentError('Enter a duration like 90s, 15m or 2h.');
  return Number(amount) * (unit === 'h' ? SECONDS_PER_HOUR : unit === 'm' ? 60 : 1);
}

/** Parses a user's id, id prefix, email or external id. */
export function userId(text: string): string | Reference {
  const name = text.trim();
  if (name === '') throw new InvalidArgumentError('Enter a user; see `healthctl users list`.');
  return UUID.test(name) ? name : new Reference('user', name);
}

/** Parses a run's id or id prefix. */
export function runId(text: string): string | Reference {
  const name = text.trim();
  if (name === '') throw new InvalidArgumentError('Enter a run; see `healthctl runs list`.');
  return UUID.test(name.replace(/^[a-z]+_/, '')) ? name : new Reference('run', name);
}

/** Parses a list separated by commas. */
export function list(text: string, before: string[] = []): string[] {
  const items = text.split(',').map((item) => item.trim());
  if (items.includes('')) throw new InvalidArgumentError('Enter names separated by commas.');
  return [...before, ...items];
}

const USER = 'the user’s id, start of the id, email or external id';

export function userOption(): Option {
  return new Option('-u, --user <id>', `${USER} (required)`).argParser(userId).makeOptionMandatory();
}

/** Adds the user as an argument and as an option. `namedUser` returns the value. */
export function takeUser(command: Command): Command {
  return command
    .argument('[user]', USER, userId)
    .addOption(new Option('-u, --user <id>', 'the user, as an option').argParser(userId));
}

/**
 * Returns the user of a command that {@link takeUser} prepared.
 * @param missing names of other missing options, for the message
 * @throws CliError `usage` if there is no user, or if argument and option name different users
 */
export function namedUser(argument: string | undefined, option: string | undefined, missing = ''): string {
  if (argument !== undefined && option !== undefined && argument !== option) {
    throw new CliError('usage', 'The argument and --user name different users. Pass only one of them.', {
      exitCode: EXIT.usage,
    });
  }
  const user = argument ?? option;
  if (user !== undefined) return user;
  throw new CliError('usage', `Missing argument <user>${missing}.`, {
    hint: '`healthctl users list` shows the users.',
    exitCode: EXIT.usage,
  });
}
