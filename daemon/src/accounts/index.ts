export type { AccessTokens, DeveloperClaims, SdkClaims } from './access-tokens.js';
export { type Accounts, type AccountsOptions, createAccounts } from './accounts.js';
export type { KnownApiKey, NewApiKey } from './api-keys.js';
export { ensureFirstAccount, type FirstAccount } from './first-account.js';
export type { TokenOwner } from './refresh-tokens.js';
export type { KnownDeveloper } from './sessions.js';
