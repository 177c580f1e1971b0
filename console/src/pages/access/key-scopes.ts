import { SCOPES, type Scope } from '@healthd/contract';

/** The rights of a new key from those that are ticked: null, which is full access, only when all are. */
export function keyScopes(ticked: readonly Scope[]): Scope[] | null {
  const chosen = SCOPES.filter((scope) => ticked.includes(scope));
  return chosen.length === SCOPES.length ? null : chosen;
}
