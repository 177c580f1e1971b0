import { openApiDocument } from '@healthd/daemon/http';
import { declaredRoutes } from '@healthd/schemas';

interface DeclaredResponse {
  method: string;
  path: RegExp;
  statuses: ReadonlySet<number>;
}

let known: readonly DeclaredResponse[] | undefined;

/**
 * Throws if the service returned a status that the route's declaration does not list. Ignores undeclared routes (404,
 * 405, routes that a test adds).
 */
export function requireDeclared(method: string, path: string, status: number): void {
  known ??= declaredResponses();
  const pathname = path.split('?', 1)[0] ?? '';
  const responses = known.find((one) => one.method === (method === 'HEAD' ? 'GET' : method) && one.path.test(pathname));
  if (!responses || status === 405 || responses.statuses.has(status)) return;
  throw new Error(`${method} ${pathname} was answered with ${status}, which its document does not name`);
}

function declaredResponses(): DeclaredResponse[] {
  const document = openApiDocument(declaredRoutes, { title: 'healthd', apiKeyHeader: 'X-Service-API-Key' });
  const paths = document.paths as Record<string, Record<string, { responses: object }>>;
  // Sorts literal segments before parameters, as the service's own lookup does.
  const sorted = Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { responses }]) => ({
      method: method.toUpperCase(),
      path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      statuses: withCompat(new Set(Object.keys(responses).map(Number))),
    })),
  );
}

/** Adds 400 wherever a route declares 422, because compat mode returns 400 instead. */
function withCompat(statuses: Set<number>): Set<number> {
  return statuses.has(422) ? statuses.add(400) : statuses;
}
