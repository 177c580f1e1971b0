/** A call of the service for a shell, with the caller's API key in `KEY`. */
export function curlOf(path: string, query: Record<string, string | number | undefined> = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value).replaceAll('%3A', ':')}`],
  );
  const address = `${location.origin}/api/v1${path}${given.length > 0 ? `?${given.join('&')}` : ''}`;
  return `curl -H "X-Service-API-Key: $KEY" '${address}'`;
}
