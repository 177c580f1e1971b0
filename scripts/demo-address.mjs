// Finds the service for the demo, on any port, for which healthctl has a credential.

/** As `PORT` has it where it is unset. */
const USUAL_PORT = 8000;
const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/**
 * With PORT set the service of that port; otherwise the one that healthctl calls by itself, when it is on this machine,
 * or the one of the usual port. API_BASE_URL is another name of any of them.
 * @param {import('./demo-healthctl.mjs').HealthctlAt} healthctlAt
 * @returns {Promise<string>} an address without a slash at its end; a service may still have to be started there
 */
export async function findAddress(healthctlAt) {
  const { PORT, HOST = '127.0.0.1', API_BASE_URL } = process.env;
  const port = Number(PORT) || undefined;
  // Built by now.
  const { serviceAddress } = await import('../daemon/dist/app/service-address.js');
  const local = serviceAddress(HOST, port ?? USUAL_PORT);
  const named = URL.canParse(API_BASE_URL ?? '') ? new URL(API_BASE_URL).origin : undefined;
  if (port === undefined) {
    const usual = await identityAt(healthctlAt, undefined);
    if (usual?.accepted && isOurs(usual.url, named)) return usual.url;
  }
  const candidates = [local, ...(named === undefined || named === local ? [] : [named])];
  for (const url of candidates) if ((await identityAt(healthctlAt, url))?.accepted) return url;
  for (const url of candidates) if (await answers(url)) return url;
  return local;
}

/** Whether healthctl calls this service by itself. */
export async function isUsual(healthctlAt, url) {
  return (await identityAt(healthctlAt, undefined))?.url === url;
}

/** Whether a service of healthd answers at an address. */
export async function answers(url) {
  try {
    const response = await fetch(`${url}/health/live`, { signal: AbortSignal.timeout(2000) });
    return response.ok;
  } catch {
    return false;
  }
}

/** A made-up user must not appear in a service elsewhere only because healthctl is logged in there. */
function isOurs(url, named) {
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
