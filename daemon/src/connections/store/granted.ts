import type { CloudProvider, OAuthDefinition } from '@healthd/providers';

/** A kind of data, and what it takes to get it: any one of the scopes. */
interface ConsentedType {
  id: string;
  scopes: readonly string[];
}

/** What people consent to: what is read, or what is delivered. */
export function consentedTypes({ pull, deliveries }: CloudProvider): readonly ConsentedType[] {
  return pull?.dataTypes ?? deliveries?.dataTypes ?? [];
}

/** Whether the person consented to a kind of data: any one of its scopes is enough. */
export function isGranted(scopes: readonly string[], granted: ReadonlySet<string>): boolean {
  return scopes.length === 0 || scopes.some((scope) => granted.has(scope));
}

/** Whether a consent opens no kind of data at all. */
export function grantsNothing(dataTypes: readonly ConsentedType[], granted: ReadonlySet<string>): boolean {
  return dataTypes.length > 0 && !dataTypes.some(({ scopes }) => isGranted(scopes, granted));
}

/** Scopes as they are stored: separated by spaces, under the names by which kinds of data ask for them. */
export function namedScopes(text: string, { scopeSeparator, scopeName }: OAuthDefinition): string {
  const scopes = text.split(scopeSeparator === undefined ? /[\s\p{Cc}]+/u : /[\s\p{Cc},]+/u).filter(Boolean);
  return [...new Set(scopeName ? scopes.map((scope) => scopeName(scope)) : scopes)].join(' ');
}

/** Scopes separated by spaces. */
export function scopesIn(text: string | null | undefined): Set<string> {
  return new Set(text?.split(/\s+/).filter(Boolean));
}
