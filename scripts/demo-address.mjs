// Finds the demo's service, on any port, for which healthctl has credentials.

/** Default of `PORT`. */
const USUAL_PORT = 8000;
const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Prefers healthctl's default service if PORT is not set, the service accepts healthctl's credentials, and the service
 * is local or named by API_BASE_URL. Otherwise the candidates are the local service and the service at API_BASE_URL, in
 * this order. Returns the first candidate that accepts healthctl's credentials, else the first candidate that responds,
 * else the local service.
 * @param {import('./demo-healthctl.mjs').HealthctlAt} healthctlAt
 * @returns {Promise<string>} a URL without a trailing slash; its service may not be running yet
 */
export async function findAddress(healthctlAt) {
  const { PORT, HOST = '127.0.0.1', API_BASE_URL } = process.env;
  const port = Number(PORT) || undefined;
  // Imported late, because `dist` exists only after the build.
  const { serviceAddress } = await import('../daemon/dist/app/service-address.js');
  const local = serviceAddress(HOST, port ?? USUAL_PORT);
  const named = URL.canParse(API_BASE_URL ?? '') ? new URL(API_BASE_URL).origin : undefined;
  if (port === undefined) {
    const usual = await identityAt(healthctlAt, undefined);
    if (usual?.accepted && hasValidToken(usual.url, named)) return usual.url;
  }
  const candidates = [local, ...(named === undefined || named === local ? [] : [named])];
  for (const url of candidates) if ((await identityAt(healthctlAt, url))?.accepted) return url;
  for (const url of candidates) if (await answers(url)) return url;
  return local;
}

/** True if healthctl calls this service by default. */
export async function isUsual(healthctlAt, url) {
  return (await identityAt(healthctlAt, undefined))?.url === url;
}

/** True if a healthd service responds at this URL. */
export async function answers(url) {
  try {
    const response = await fetch(`${url}/health/live`, { signal: AbortSignal.timeout(2000) });
    return response.ok;
  } catch {
    return false;
  }
}

/**
 * True for a local or explicitly named service. Otherwise a generated user could appear in a remote service only
 * because healthctl is logged in there.
 */
function hasValidToken(url, named) {
  return url === named || LOCAL_HOSTS.includes(new URL(url).hostname);
}

async function identityAt(healthctlAt, url) {
  try {
    const text = await healthctlAt(url)(['whoami', '--json', 'url,accepted'], { capture: true, quiet: true });
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
