import type { PullDataType } from '@healthd/providers';

/** Whether the person consented to a kind of data: any one of its scopes is enough. */
export function isGranted(scopes: readonly string[], granted: ReadonlySet<string>): boolean {
  return scopes.length === 0 || scopes.some((scope) => granted.has(scope));
}

/** Whether a consent opens no kind of data at all. */
export function grantsNothing(dataTypes: readonly PullDataType[], granted: ReadonlySet<string>): boolean {
  return dataTypes.length > 0 && !dataTypes.some(({ scopes }) => isGranted(scopes, granted));
}

/** Scopes as vendors write them, separated by spaces. */
export function scopesIn(text: string | null | undefined): Set<string> {
  return new Set(text?.split(/\s+/).filter(Boolean));
}
