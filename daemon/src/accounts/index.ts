export type { AccessTokens, DeveloperClaims, SdkClaims } from './access-tokens.js';
export { type Accounts, type AccountsOptions, createAccounts } from './accounts.js';
export type { KnownApiKey, NewApiKey } from './api-keys.js';
export type { CallLimits, LimitNumbers } from './call-limits.js';
export { ensureFirstAccount, type FirstAccount } from './first-account.js';
export { PURGE_CREDENTIALS_JOB, purgeCredentialsJob } from './purge-job.js';
export type { TokenOwner } from './refresh-tokens.js';
export type { KnownDeveloper } from './sessions.js';
export type { TokenIssuer } from './user-tokens.js';
