import { type CallInput, pathOf } from '@healthd/client';
import type { CredentialClass, DeclaredRoute } from '@healthd/contract';
import type { SchemasOf } from '@healthd/schemas';

/** Path and query of a request. */
export type ReadInput<R extends DeclaredRoute> = Omit<CallInput<SchemasOf<R>>, 'body' | 'signal'>;

/** Credential placeholders. The shell reads credentials from its environment, so the page never shows them. */
const CREDENTIALS: Readonly<Record<CredentialClass, string>> = {
  public: '',
  key: ' -H "X-Service-API-Key: $KEY"',
  sdk: ' -H "X-Service-API-Key: $KEY"',
  device: ' -H "Authorization: Bearer $TOKEN"',
  developer: ' -H "Authorization: Bearer $TOKEN"',
  application: ' -H "Authorization: Bearer $TOKEN"',
};

/**
 * Formats a request as a curl command. `KEY` contains an API key. `TOKEN` contains a developer's access token for
 * routes that only developers may call.
 */
export function curlOf<R extends DeclaredRoute>(origin: string, route: R, input: ReadInput<R>): string {
  const { params, query } = input as Record<'params' | 'query', Record<string, unknown> | undefined>;
  const path = pathOf(route, params, query).replaceAll('%3A', ':').replaceAll("'", '%27');
  return `curl${CREDENTIALS[route.auth]} '${origin}${path}'`;
}

/** Quotes a word for the shell. */
export function quoted(text: string): string {
  return /^[\w@.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
