import { SECONDS_PER_HOUR } from '@healthd/model';
import { InvalidArgumentError, Option } from 'commander';
import { Reference } from './reference.js';

const UUID = /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i;

/** A whole number of at least 1. */
export function positive(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Give a whole number of at least 1.');
  return Number(text);
}

/** Seconds of `90`, `90s`, `15m` or `2h`. */
export function duration(text: string): number {
  const [, amount, unit] = /^(\d{1,7})([smh]?)$/.exec(text) ?? [];
  if (amount === undefined) throw new InvalidArgumentError('Give a time like 90s, 15m or 2h.');
  return Number(amount) * (unit === 'h' ? SECONDS_PER_HOUR : unit === 'm' ? 60 : 1);
}

/** A user as a person names one: by id, the beginning of it, e-mail or external id. */
export function userId(text: string): string | Reference {
  const name = text.trim();
  if (name === '') throw new InvalidArgumentError('Name a user; `healthctl users list` shows them.');
  return UUID.test(name) ? name : new Reference('user', name);
}

/** A run by its id or the beginning of it. */
export function runId(text: string): string | Reference {
  const name = text.trim();
  if (name === '') throw new InvalidArgumentError('Name a run; `healthctl runs list` shows them.');
  return UUID.test(name.replace(/^[a-z]+_/, '')) ? name : new Reference('run', name);
}

/** A list written with commas. */
export function list(text: string, before: string[] = []): string[] {
  const items = text.split(',').map((item) => item.trim());
  if (items.includes('')) throw new InvalidArgumentError('Give names with commas between them.');
  return [...before, ...items];
}

export function userOption(): Option {
  return new Option('-u, --user <id>', 'id of the user or its beginning, e-mail or external id (required)')
    .argParser(userId)
    .makeOptionMandatory();
}
