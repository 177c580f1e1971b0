import { ApiError } from '@healthd/client';
import { listUsers } from '@healthd/contract';
import type { UserResponse } from '@healthd/schemas';
import type { Cli } from '../cli.js';
import { EXIT } from '../exit-codes.js';
import { CliError } from '../failure.js';
import { type Choice, pickId, wholeChoices } from './pick.js';

const LARGEST_PAGE = 100;
/**
 * Minimum length of an id prefix. Longer than for other ids, because short external ids could match the prefix of an
 * id.
 */
const LEAST_CHARACTERS = 8;
const ID_PREFIX = /^[0-9a-f]{8}[0-9a-f-]*$/i;
const HINT = 'Pass the whole id, at least the first 8 digits of it, the email or the external id.';

/**
 * Resolves a text to a user id: an exact external id or email, then the same without case, then an id prefix (see
 * `pickId`).
 * @param withoutPrompt true with --yes
 * @throws CliError `not_found`, `ambiguous`, `whole_id_needed`
 */
export async function pickUserId(cli: Cli, text: string, withoutPrompt: boolean): Promise<string> {
  const exact = await exactUsers(cli, text);
  if (exact.length > 0) return pickId(cli, 'user', text, exact);
  const { items, has_next } = await usersWhere(cli, { search: text });
  if (has_next) {
    throw new CliError('ambiguous', `${JSON.stringify(text)} matches more than ${LARGEST_PAGE} users.`, {
      hint: HINT,
      exitCode: EXIT.usage,
    });
  }
  const found = items.map((user) => choiceOf(user, [user.email, user.external_user_id]));
  const whole = wholeChoices(text, found);
  if (whole.length > 0) return pickId(cli, 'user', text, whole);
  const prefixMatches = ID_PREFIX.test(text) ? found.filter(({ id }) => id.startsWith(text.toLowerCase())) : [];
  return pickId(cli, 'user', text, prefixMatches, { withoutPrompt, least: LEAST_CHARACTERS, hint: HINT });
}

/** Returns users with exactly this external id or email. */
async function exactUsers(cli: Cli, text: string): Promise<Choice[]> {
  const queries = [usersWhere(cli, { external_user_id: text }), ...(text.includes('@') ? [usersOf(cli, text)] : [])];
  const users = (await Promise.all(queries)).flatMap(({ items }) => items);
  return [...new Map(users.map((user) => [user.id, choiceOf(user, [text])])).values()];
}

/** Returns no users if the text is not an email. */
async function usersOf(cli: Cli, email: string) {
  return usersWhere(cli, { email }).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 422) return { items: [], has_next: false };
    throw error;
  });
}

async function usersWhere(cli: Cli, filter: { search?: string; email?: string; external_user_id?: string }) {
  const client = await cli.client();
  return client.call(listUsers, { query: { ...filter, limit: LARGEST_PAGE }, signal: cli.signal });
}

function choiceOf(user: UserResponse, names: Choice['names']): Choice {
  const { id, email, first_name, last_name, external_user_id } = user;
  return { id, label: [first_name, last_name, email, external_user_id].filter(Boolean).join(' '), names };
}
