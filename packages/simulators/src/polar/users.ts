import { type Answer, json } from '../response.js';
import type { Call, VendorCore } from '../vendor/index.js';
import type { PolarAccount } from './account.js';
import { failure, NO_CONTENT } from './failure.js';

/** Registers the user at the client, which is required for data. */
export function register(core: VendorCore<PolarAccount>, account: PolarAccount, { body }: Call): Answer {
  if (!account.hasConsented) return consentsMissing();
  const memberId = (JSON.parse(body) as { 'member-id'?: unknown })['member-id'];
  if (typeof memberId !== 'string' || memberId === '') return failure(400, 'bad_request', 'member-id is missing');
  const isTaken = core.accounts.all().some((other) => other.memberId === memberId);
  if (account.memberId !== undefined || isTaken) return failure(409, 'conflict', 'Already registered');
  account.memberId = memberId;
  account.registeredAt = core.clock.now();
  return json(200, userOf(account));
}

/** Returns the user, or ends the registration and revokes its tokens. */
export function handleUserRequest(
  core: VendorCore<PolarAccount>,
  account: PolarAccount,
  { method }: Call,
  id: string,
): Answer {
  if (!account.hasConsented) return consentsMissing();
  if (id !== account.facts.userId || account.memberId === undefined) return NO_CONTENT;
  if (method === 'GET') return json(200, userOf(account));
  if (method !== 'DELETE') return failure(405, 'method_not_allowed', 'Method not allowed');
  account.memberId = undefined;
  core.grants.revoke(account.facts.id);
  return NO_CONTENT;
}

export function consentsMissing(): Answer {
  return failure(403, 'forbidden', 'User has not accepted all mandatory consents');
}

function userOf({ facts, memberId, registeredAt }: PolarAccount): object {
  return {
    'polar-user-id': Number(facts.userId),
    'member-id': memberId,
    'registration-date': registeredAt,
    'first-name': facts.id,
    'last-name': 'Example',
    birthdate: '1988-04-19',
    gender: 'FEMALE',
    weight: 63.5,
    height: 171,
    'extra-info': [],
  };
}
