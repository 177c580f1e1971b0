export type { AccessTokens, DeveloperClaims, SdkClaims } from './access-tokens.js';
export { type Accounts, type AccountsOptions, createAccounts } from './accounts.js';
export {
  type AdoptedApiKey,
  adoptApiKeys,
  adoptableHashedKey,
  adoptablePlainKey,
  countKnownKeys,
} from './adopted-keys.js';
export type { KnownApiKey, NewApiKey } from './api-keys.js';
export { type CallLimits, type LimitNumbers, tooMany } from './call-limits.js';
export { credentialCleaning } from './clean-credentials.js';
export { ensureFirstAccount, type FirstAccount } from './first-account.js';
export { deleteUserSessions, type TokenOwner } from './refresh-tokens.js';
export type { KnownDeveloper } from './sessions.js';
export { deriveKey } from './signing-keys.js';
export { revokeUnreadableInvitations } from './unreadable-invitations.js';
export type { TokenIssuer } from './user-tokens.js';
