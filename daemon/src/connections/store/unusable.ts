import type { ProviderId } from '@healthd/model';
import { providerById } from '@healthd/providers';
import type { Connection } from './connection.js';

/** Reason why no data can be fetched for a connection. */
export type ConnectionFault =
  | 'not_connected'
  | 'deregistered'
  | 'refresh_failed'
  | 'token_expired'
  | 'token_unreadable';

/** Returns the reason why no data can be fetched for a connection; undefined if data can be fetched. */
export function connectionFault(
  connection: Pick<Connection, 'status' | 'statusReason' | 'hasTokens'> | undefined,
): ConnectionFault | undefined {
  if (!connection) return 'not_connected';
  const { status, statusReason, hasTokens } = connection;
  if (status === 'active') return hasTokens ? undefined : 'not_connected';
  if (statusReason === 'refresh_failed' || statusReason === 'deregistered' || statusReason === 'token_unreadable') {
    return statusReason;
  }
  return status === 'expired' || statusReason === 'token_expired' ? 'token_expired' : 'not_connected';
}

/** Reason why no data can be fetched from a provider for a user. */
export type PullBlocker = ConnectionFault | 'disabled' | 'unconfigured';

const TEXTS: Readonly<Record<PullBlocker, (provider: ProviderId) => string>> = {
  not_connected: (provider) => `User not connected to ${provider}`,
  refresh_failed: (provider) => `${provider} authorization expired. Please re-authorize.`,
  deregistered: (provider) => `The user ended the authorization at ${provider}. Please re-authorize.`,
  token_expired: (provider) => `Token expired and no refresh token available for ${provider}`,
  token_unreadable: (provider) =>
    `The stored authorization for ${provider} cannot be read with ENCRYPTION_KEY. Please re-authorize.`,
  disabled: (provider) => `Provider '${provider}' is disabled`,
  unconfigured: (provider) => {
    const prefix = providerById(provider)?.cloud?.settingsPrefix;
    const needed = prefix === undefined ? '' : `: set ${prefix}_CLIENT_ID and ${prefix}_CLIENT_SECRET.`;
    return `Provider '${provider}' is not configured${needed}`;
  },
};

/** Returns the message for the reason, used in all responses and run messages. */
export function pullBlockerText(blocker: PullBlocker, provider: ProviderId): string {
  return TEXTS[blocker](provider);
}
