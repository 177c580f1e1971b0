import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { providerById } from '@healthd/providers';
import express, { type NextFunction, type Request, type Response } from 'express';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { ConfiguredCloud } from '../connections.js';
import { ConsentFlow } from './consent-flow.js';
import type { PendingConsent } from './consent-states.js';

/** A token endpoint that returns one token and records its request. */
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

/** Servers that run consent flows; closed after each test. */
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

const CALLBACK = 'https://healthd.example/api/v1/oauth/google/callback';
const STATE: PendingConsent = { prepared: 'state-1', provider: 'google', browser: 'some' };

type OAuthOptions = { clientAuthentication: 'body' | 'basic'; pkce: boolean };

function configured(oauth: OAuthOptions): ConfiguredCloud {
  const cloud = providerById('google')?.cloud;
  if (!cloud) throw new Error('the provider has no cloud');
  const origin = originOf(endpoint);
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

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts a service that starts a consent at `/begin` and `/address`, and exchanges the code at `/end`. */
async function serve(oauth: OAuthOptions) {
  const stored: { verifier?: string | undefined; states: number } = { states: 0 };
  const flow = new ConsentFlow(
    {
      store(_request, verifier, _consent, _meta, done) {
        stored.verifier = verifier;
        stored.states += 1;
        const state = `state-${stored.states}`;
        // Delayed like a database, so that concurrent requests overlap.
        setTimeout(() => done(null, state), 10);
      },
      verify: (_request, state, _meta, done) => done(null, state === 'state-1' && (stored.verifier ?? true)),
    },
    'https://healthd.example',
  );
  const vendor = { provider: 'google', configured: configured(oauth) } as const;
  const app = express();
  app.get('/begin', (request, response) => flow.redirect(vendor, STATE, { request, response }));
  app.get('/address', async (request, response) => {
    response.send(await flow.address(vendor, STATE, { request, response }));
  });
  app.get('/end', async (request, response) => {
    response.send((await flow.tokens(vendor, { request, response })).accessToken);
  });
  app.use((error: Error & { code?: string }, _request: Request, response: Response, _next: NextFunction) => {
    response.status(500).send(`${error.name} ${error.code}`);
  });
  const server = createServer(app);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { stored, get: (path: string) => fetch(`${originOf(server)}${path}`, { redirect: 'manual' }) };
}

/**
 * Completes a consent.
 * @returns the consent page's parameters and the token endpoint's request
 */
async function consent(oauth: OAuthOptions) {
  const { stored, get } = await serve(oauth);
  const response = await get('/begin');
  expect(response.status).toBe(303);
  expect(await (await get('/end?code=code-1&state=state-1')).text()).toBe('given');
  return { pageParameters: parametersOf(response.headers.get('location')), verifier: stored.verifier, ...sent! };
}

function parametersOf(address: string | null): Record<string, string> {
  return Object.fromEntries(new URL(address ?? '').searchParams);
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

test('sends no authorization header if credentials are in the body', async () => {
  const { pageParameters, form, headers } = await consent({ clientAuthentication: 'body', pkce: false });
  expect(pageParameters).toEqual(PAGE);
  expect(form).toEqual({ ...GRANT, client_id: 'client:1', client_secret: 'se cret' });
  expect(headers.authorization).toBeUndefined();
});

test('sends encoded credentials only in the header for Basic authentication', async () => {
  const { form, headers } = await consent({ clientAuthentication: 'basic', pkce: false });
  expect(form).toEqual(GRANT);
  expect(headers.authorization).toBe(`Basic ${Buffer.from('client%3A1:se+cret').toString('base64')}`);
});

test.each(['body', 'basic'] as const)(
  'sends the verifier of the PKCE challenge, with client authentication by %s',
  async (clientAuthentication) => {
    const { pageParameters, form, verifier } = await consent({ clientAuthentication, pkce: true });
    expect(pageParameters).toMatchObject({ ...PAGE, code_challenge_method: 'S256' });
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
    expect(pageParameters.code_challenge).toBe(Buffer.from(digest).toString('base64url'));
    expect(form.code_verifier).toBe(verifier);
  },
);

test('fails as unauthorized if the vendor rejects the code', async () => {
  const { get } = await serve({ clientAuthentication: 'body', pkce: false });
  expect(await (await get('/end?code=dead&state=state-1')).text()).toBe('VendorError unauthorized');
});

test('returns a consent URL with the same parameters as the redirect', async () => {
  const { get } = await serve({ clientAuthentication: 'body', pkce: false });
  const redirected = (await get('/begin')).headers.get('location');
  const answered = await get('/address');
  expect(answered.status).toBe(200);
  expect(parametersOf(await answered.text())).toEqual({ ...parametersOf(redirected), state: 'state-2' });
});

test('gives each concurrent request a separate state', async () => {
  const { get } = await serve({ clientAuthentication: 'body', pkce: true });
  const answers = await Promise.all(Array.from({ length: 5 }, () => get('/begin')));
  const states = answers.map(({ headers }) => parametersOf(headers.get('location')).state);
  expect(new Set(states).size).toBe(5);
});

test.each(['code=code-1', 'error=access_denied', 'error=server_error'])(
  'rejects a consent start that contains %s',
  async (query) => {
    const { stored, get } = await serve({ clientAuthentication: 'body', pkce: false });
    expect(await (await get(`/begin?${query}&state=state-1`)).text()).toBe('Failure bad_request');
    expect(stored.states).toBe(0);
  },
);
