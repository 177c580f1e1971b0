import { type KeyScope, SCOPES } from '@healthd/contract';

/** Returns the scopes of a new key: null (full access) if all are selected. A key for assistants has no other scope. */
export function keyScopes(ticked: readonly KeyScope[]): KeyScope[] | null {
  if (ticked.includes('assistant')) return ['assistant'];
  const chosen = SCOPES.filter((scope) => ticked.includes(scope));
  return chosen.length === SCOPES.length ? null : chosen;
}
