import { type OAuthDefinition, type VendorApi, VendorError, type VendorIdentity } from '../cloud/index.js';
import { idOf, isObject } from '../payload/index.js';

/** Permissions on the vendor's page. History is off by default. */
export const PERMISSIONS = {
  activity: 'ACTIVITY_EXPORT',
  health: 'HEALTH_EXPORT',
  history: 'HISTORICAL_DATA_EXPORT',
  cycle: 'MCT_EXPORT',
} as const;

/**
 * Consent at Garmin, with PKCE. Requests no scope: the vendor's portal defines what an application may receive, and the
 * user selects permissions on the vendor's page. The permissions are read later, because the tokens' scope does not
 * contain them. A refresh token is valid once.
 */
export const GARMIN_OAUTH: OAuthDefinition = {
  defaultScope: '',
  pkce: true,
  clientAuthentication: 'body',
  authorizeParameters: {},
  accessTokenSeconds: 86_400,
  grantedBy: 'identity',
  needsIdentity: true,
  endConsent: { method: 'DELETE', base: 'user', path: '/registration' },
  identify,
};

/** Returns the account id that deliveries contain, and the granted permissions. */
async function identify(api: VendorApi): Promise<VendorIdentity> {
  const response = await api.call({ base: 'user', path: '/id' });
  const userId = isObject(response) ? idOf(response.userId) : undefined;
  if (userId === undefined) throw new VendorError({ code: 'invalid_answer', reason: 'user_id' });
  return { userId, scope: await permissionsOf(api) };
}

/** Undefined if the vendor does not report the permissions. A later change notification contains them. */
async function permissionsOf(api: VendorApi): Promise<string | undefined> {
  try {
    const response = await api.call({ base: 'user', path: '/permissions' });
    return scopeOf(isObject(response) ? response.permissions : response);
  } catch (error) {
    if (error instanceof VendorError) return undefined;
    throw error;
  }
}

/** Returns sorted permissions separated by spaces; undefined if the value is not a list. */
function scopeOf(permissions: unknown): string | undefined {
  if (!Array.isArray(permissions)) return undefined;
  const names = permissions.filter((name): name is string => typeof name === 'string' && /^[A-Z_]{1,64}$/.test(name));
  return [...new Set(names)].sort().join(' ');
}
