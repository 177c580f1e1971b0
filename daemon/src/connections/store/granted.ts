import type { CloudProvider, OAuthDefinition } from '@healthd/providers';

/** A data type and its scopes. Any one of the scopes is enough. */
interface ConsentedType {
  id: string;
  scopes: readonly string[];
}

/**
 * Returns the data types that users consent to: the pulled types, or the delivered types if the provider has no pull.
 */
export function consentedTypes({ pull, deliveries }: CloudProvider): readonly ConsentedType[] {
  return pull?.dataTypes ?? deliveries?.dataTypes ?? [];
}

/** True if the user consented to a data type. One of its scopes is enough. */
export function isGranted(scopes: readonly string[], granted: ReadonlySet<string>): boolean {
  return scopes.length === 0 || scopes.some((scope) => granted.has(scope));
}

/** True if a consent grants no data type at all. */
export function grantsNothing(dataTypes: readonly ConsentedType[], granted: ReadonlySet<string>): boolean {
  return dataTypes.length > 0 && !dataTypes.some(({ scopes }) => isGranted(scopes, granted));
}

/** Returns scopes in stored form: separated by spaces, under the names that data types use. */
export function namedScopes(text: string, { scopeSeparator, scopeName }: OAuthDefinition): string {
  const scopes = text.split(scopeSeparator === undefined ? /[\s\p{Cc}]+/u : /[\s\p{Cc},]+/u).filter(Boolean);
  return [...new Set(scopeName ? scopes.map((scope) => scopeName(scope)) : scopes)].join(' ');
}

/** Splits scopes at spaces. */
export function scopesIn(text: string | null | undefined): Set<string> {
  return new Set(text?.split(/\s+/).filter(Boolean));
}
