export type { EraseUserData } from './erase-user.js';
export { applyPendingErasures } from './erasures/apply-erasures.js';
export { ErasureLedger } from './erasures/erasure-ledger.js';
export { completeLedger, readErasures, storePendingErasures } from './erasures/erasure-rows.js';
export { type ErasureEntry, erasedAmong, ledgerText, parseLedger } from './erasures/ledger-lines.js';
export { type ImportedUser, importUser } from './import-user.js';
export type { UserListQuery } from './list-users.js';
export type { UserErasedHook } from './on-user-erased.js';
export { Users, type UsersOptions } from './users.js';
