/** Credentials that identify the application to the token endpoint. */
export interface ClientCredentials {
  clientId: string;
  clientSecret: string;
  /** Location of the credentials in a request: form members, or HTTP Basic. */
  authentication: 'body' | 'basic';
}

/** Returns the request for a form of RFC 6749. */
export function tokenForm(
  members: Readonly<Record<string, string | undefined>>,
  client: ClientCredentials | undefined,
): { headers: Record<string, string>; body: string } {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(members)) if (value !== undefined) form.set(name, value);
  const headers: Record<string, string> = {
    accept: 'application/json',
    'content-type': 'application/x-www-form-urlencoded',
    'user-agent': 'healthd',
  };
  if (client?.authentication === 'body') {
    form.set('client_id', client.clientId);
    form.set('client_secret', client.clientSecret);
  } else if (client !== undefined) {
    // RFC 6749, 2.3.1: id and secret are form-encoded before they are joined.
    const pair = `${formEncoded(client.clientId)}:${formEncoded(client.clientSecret)}`;
    headers.authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
  }
  return { headers, body: form.toString() };
}

function formEncoded(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}
