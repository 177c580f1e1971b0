import { SECONDS_PER_HOUR } from '@healthd/model';
import { type OAuthDefinition, type VendorApi, VendorError, type VendorIdentity } from '../cloud/index.js';
import { isObject, textOf } from '../payload/index.js';
import { numberIdOf } from '../rest/index.js';
import { DEFAULT_SCOPE } from './scopes.js';

/**
 * Consent at Strava. Scopes are separated by commas, and what was granted stands in the address of the way back. A renewal
 * gives a new refresh token now and then, with which the old one dies.
 */
export const STRAVA_OAUTH: OAuthDefinition = {
  defaultScope: DEFAULT_SCOPE,
  pkce: false,
  clientAuthentication: 'body',
  // The page is shown again only where something new is asked for.
  authorizeParameters: { approval_prompt: 'auto' },
  accessTokenSeconds: 6 * SECONDS_PER_HOUR,
  scopeSeparator: ',',
  revocation: { clientAuthentication: 'basic', tokenTypeHint: true },
  identify,
};

/** The athlete's id, which events name, and a name for display. */
async function identify(api: VendorApi): Promise<VendorIdentity> {
  const athlete = await api.call({ path: '/athlete' });
  const userId = isObject(athlete) ? numberIdOf(athlete.id) : undefined;
  if (!isObject(athlete) || userId === undefined) throw new VendorError({ code: 'invalid_answer', reason: 'id' });
  const name = textOf([athlete.firstname, athlete.lastname].flatMap((part) => textOf(part) ?? []).join(' '));
  return { userId, username: textOf(athlete.username) ?? name };
}
