const USER_AGENT = 'Google-Health-API-Webhooks-Verifier';
const TIMEOUT_MS = 10_000;

/**
 * Verifies an endpoint with two requests: with the secret it must return 200 or 201, without credentials 401 or 403.
 * @returns the problem; undefined if the endpoint is valid
 */
export async function endpointProblem(endpointUri: string, secret: string | undefined): Promise<string | undefined> {
  const allowed = await verify(endpointUri, secret === undefined ? {} : { authorization: secret });
  if (allowed !== 200 && allowed !== 201) return `The endpoint returned ${allowed} for the verification request.`;
  const rejection = await verify(endpointUri, {});
  if (rejection !== 401 && rejection !== 403) return `The endpoint returned ${rejection} without credentials.`;
  return undefined;
}

/**
 * @returns the status; 0 if there was no response
 */
async function verify(endpointUri: string, headers: Record<string, string>): Promise<number> {
  try {
    const response = await fetch(endpointUri, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': USER_AGENT, ...headers },
      body: JSON.stringify({ type: 'verification' }),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}
