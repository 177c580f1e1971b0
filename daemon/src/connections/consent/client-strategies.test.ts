import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { providerById } from '@healthd/providers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ConfiguredCloud } from '../connections.js';
import { createVendorStrategy } from './client-strategies.js';

/** A token endpoint that gives one token and keeps what it was sent. */
let endpoint: Server;
let sent: { headers: IncomingHttpHeaders; form: Record<string, string> } | undefined;
beforeAll(async () => {
  endpoint = createServer(async (request, response) => {
    sent = { headers: request.headers, form: Object.fromEntries(new URLSearchParams(await text(request))) };
    response.setHeader('content-type', 'application/json');
    if (sent.form.code === 'dead') response.statusCode = 400;
    response.end(
      JSON.stringify(
        sent.form.code === 'dead' ? { error: 'invalid_grant' } : { access_token: 'given', expires_in: 60 },
      ),
    );
  });
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise((resolve) => endpoint.close(resolve)));

const CALLBACK = 'https://healthd.example/callback';

function configured(oauth: { clientAuthentication: 'body' | 'basic'; pkce: boolean }): ConfiguredCloud {
  const cloud = providerById('google')?.cloud;
  if (!cloud) throw new Error('the provider has no cloud');
  const origin = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`;
  return {
    cloud: { ...cloud, oauth: { ...cloud.oauth, ...oauth, authorizeParameters: { prompt: 'consent' } } },
    configuration: {
      clientId: 'client:1',
      clientSecret: 'se cret',
      scope: 'one two',
      addresses: { ...cloud.addresses, authorize: `${origin}/authorize`, token: `${origin}/token` },
      values: {},
    },
  };
}

/** Runs a consent to its end. @returns the consent page's parameters and what the token endpoint was sent */
async function consent(oauth: { clientAuthentication: 'body' | 'basic'; pkce: boolean }) {
  const strategy = createVendorStrategy(configured(oauth), CALLBACK);
  let verifier: string | undefined;
  const address = await strategy.begin(async (codeVerifier) => {
    verifier = codeVerifier;
    return 'state-1';
  });
  expect((await strategy.exchange('code-1', verifier)).accessToken).toBe('given');
  return { asked: Object.fromEntries(new URL(address).searchParams), verifier, ...sent! };
}

const GRANT = { grant_type: 'authorization_code', code: 'code-1', redirect_uri: CALLBACK };
const PAGE = {
  response_type: 'code',
  client_id: 'client:1',
  redirect_uri: CALLBACK,
  scope: 'one two',
  state: 'state-1',
  prompt: 'consent',
};

test('a client that authenticates in the body sends its id and secret there and no header', async () => {
  const { asked, form, headers } = await consent({ clientAuthentication: 'body', pkce: false });
  expect(asked).toEqual(PAGE);
  expect(form).toEqual({ ...GRANT, client_id: 'client:1', client_secret: 'se cret' });
  expect(headers.authorization).toBeUndefined();
});

test('a client that authenticates with a Basic header sends its id and secret there, encoded, and not in the body', async () => {
  const { form, headers } = await consent({ clientAuthentication: 'basic', pkce: false });
  expect(form).toEqual(GRANT);
  expect(headers.authorization).toBe(`Basic ${Buffer.from('client%3A1:se+cret').toString('base64')}`);
});

test.each(['body', 'basic'] as const)(
  'with PKCE the consent page gets the challenge of the verifier that the token endpoint gets: client in %s',
  async (clientAuthentication) => {
    const { asked, form, verifier } = await consent({ clientAuthentication, pkce: true });
    expect(asked).toMatchObject({ ...PAGE, code_challenge_method: 'S256' });
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
    expect(asked.code_challenge).toBe(Buffer.from(digest).toString('base64url'));
    expect(form.code_verifier).toBe(verifier);
  },
);

test('a code that the vendor refuses is a failure of the vendor, with its word', async () => {
  const strategy = createVendorStrategy(configured({ clientAuthentication: 'body', pkce: false }), CALLBACK);
  await expect(strategy.exchange('dead', undefined)).rejects.toMatchObject({
    name: 'VendorError',
    code: 'unauthorized',
  });
});
