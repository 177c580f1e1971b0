import { type CallInput, pathOf } from '@healthd/client';
import type { CredentialClass, DeclaredRoute } from '@healthd/contract';
import type { SchemasOf } from '@healthd/schemas';

/** Path and query of a call. */
export type ReadInput<R extends DeclaredRoute> = Omit<CallInput<SchemasOf<R>>, 'body' | 'signal'>;

/** Credentials are never on the screen: the shell takes them from its environment. */
const CREDENTIALS: Readonly<Record<CredentialClass, string>> = {
  public: '',
  key: ' -H "X-Service-API-Key: $KEY"',
  sdk: ' -H "X-Service-API-Key: $KEY"',
  device: ' -H "Authorization: Bearer $TOKEN"',
  developer: ' -H "Authorization: Bearer $TOKEN"',
  application: ' -H "Authorization: Bearer $TOKEN"',
};

/**
 * A call of the service for a shell, with an API key in `KEY`, or where only developers may call, the access token of one in
 * `TOKEN`.
 */
export function curlOf<R extends DeclaredRoute>(origin: string, route: R, input: ReadInput<R>): string {
  const { params, query } = input as Record<'params' | 'query', Record<string, unknown> | undefined>;
  const path = pathOf(route, params, query).replaceAll('%3A', ':').replaceAll("'", '%27');
  return `curl${CREDENTIALS[route.auth]} '${origin}${path}'`;
}

/** A word as a shell takes it literally. */
export function quoted(text: string): string {
  return /^[\w@.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
