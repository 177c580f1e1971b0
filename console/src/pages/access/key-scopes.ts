import { type KeyScope, SCOPES } from '@healthd/contract';

/**
 * Returns the rights of a new key from those that are ticked: null, which is full access, if all are. A key for assistants
 * has no other right.
 */
export function keyScopes(ticked: readonly KeyScope[]): KeyScope[] | null {
  if (ticked.includes('assistant')) return ['assistant'];
  const chosen = SCOPES.filter((scope) => ticked.includes(scope));
  return chosen.length === SCOPES.length ? null : chosen;
}
