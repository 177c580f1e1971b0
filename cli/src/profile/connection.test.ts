import { expect, test } from 'vitest';
import { type ConnectionSources, DEFAULT_URL, normalizeUrl, resolveConnection } from './connection.js';

const PROFILE = {
  current: 'local',
  contexts: {
    local: { url: 'http://localhost:8000', api_key: 'sk-local' },
    staging: { url: 'https://staging.example.org', api_key: 'sk-staging' },
  },
};

function resolve(change: Partial<ConnectionSources>) {
  return resolveConnection({ flags: {}, env: {}, profile: PROFILE, ...change });
}

test('selects the URL by flag, environment, project file, user file, then default', () => {
  const flags = { url: 'http://flag' };
  const env = { HEALTHCTL_URL: 'http://env' };
  const project = { path: 'p', url: 'http://project' };
  expect(resolve({ flags, env, project })).toMatchObject({ url: 'http://flag', urlOrigin: 'flag' });
  expect(resolve({ env, project })).toMatchObject({ url: 'http://env', urlOrigin: 'environment' });
  expect(resolve({ project })).toMatchObject({ url: 'http://project', urlOrigin: 'project file' });
  expect(resolve({})).toMatchObject({ url: 'http://localhost:8000', urlOrigin: 'user file' });
  expect(resolve({ profile: { contexts: {} } })).toMatchObject({ url: DEFAULT_URL, urlOrigin: 'default' });
});

test('prefers the secret from the environment to stored credentials', () => {
  expect(resolve({ env: { HEALTHCTL_TOKEN: 'sk-env' } })).toMatchObject({ token: 'sk-env' });
});

test('prefers a named context to the environment', () => {
  const env = { HEALTHCTL_URL: 'http://env', HEALTHCTL_TOKEN: 'sk-env' };
  const found = resolve({ flags: { context: 'staging' }, env });
  expect(found).toMatchObject({ url: 'https://staging.example.org', contextName: 'staging' });
  expect(found.token).toBeUndefined();
  expect(found.stored?.api_key).toBe('sk-staging');
});

test('sends a stored credential only to its own URL', () => {
  expect(resolve({ flags: { url: 'http://evil.example' } }).stored).toBeUndefined();
  expect(resolve({ flags: { url: 'staging.example.org' } }).stored).toBeUndefined();
  expect(resolve({ flags: { url: 'https://staging.example.org/' } }).stored?.api_key).toBe('sk-staging');
  expect(resolve({ flags: { url: 'http://evil.example', context: 'local' } }).stored).toBeUndefined();
});

test('shares a credential between localhost, 127.0.0.1 and [::1] per port', () => {
  for (const url of ['http://127.0.0.1:8000', 'http://[::1]:8000', 'localhost:8000']) {
    expect(resolve({ flags: { url } }).stored?.api_key, url).toBe('sk-local');
  }
  for (const url of ['http://127.0.0.1:8001', 'https://127.0.0.1:8000', 'http://127.0.0.2:8000']) {
    expect(resolve({ flags: { url } }).stored, url).toBeUndefined();
  }
});

test("never sends the environment secret to a project file's URL", () => {
  const project = { path: 'p', url: 'http://evil.example' };
  const found = resolve({ project, env: { HEALTHCTL_TOKEN: 'sk-env' } });
  expect(found.token).toBeUndefined();
  expect(found.stored).toBeUndefined();
});

test('lists the known contexts in the error for an unknown context', () => {
  expect(() => resolve({ flags: { context: 'nope' } })).toThrow(
    expect.objectContaining({ code: 'unknown_context', hint: expect.stringContaining('local, staging'), exitCode: 2 }),
  );
});

test('accepts a URL without a scheme', () => {
  expect(normalizeUrl('localhost:8000')).toBe('http://localhost:8000');
  expect(normalizeUrl('https://a.example/')).toBe('https://a.example');
});

test('rejects a URL with credentials, another scheme or no host', () => {
  for (const bad of ['ftp://a', 'http://u:p@a', 'http://', 'file:///etc/passwd']) {
    expect(() => normalizeUrl(bad)).toThrow(expect.objectContaining({ code: 'address_invalid' }));
  }
});

test('uses the selected context if two contexts have the same URL', () => {
  const { url } = PROFILE.contexts.local;
  const contexts = { first: { url, api_key: 'sk-first' }, second: { url, api_key: 'sk-second' } };
  expect(resolve({ profile: { current: 'second', contexts } })).toMatchObject({ contextName: 'second' });
  const found = resolve({ flags: { url }, profile: { current: 'gone', contexts } });
  expect(found).toMatchObject({ contextName: 'first', stored: { api_key: 'sk-first' } });
});

test('reads the scheme only at the start of a URL', () => {
  expect(normalizeUrl('a.example/?next=http://b.example')).toBe('http://a.example');
  expect(() => normalizeUrl('ftp://a')).toThrow(
    expect.objectContaining({ hint: expect.stringContaining('https://health.example.org'), exitCode: 2 }),
  );
});

test('rejects hosts with shell characters, but accepts names, IPv6 and ports', () => {
  for (const bad of ['http://a&calc.exe', 'http://a;b', 'http://$(id)', "http://a'b", 'http://a`b']) {
    expect(() => normalizeUrl(bad), bad).toThrow(expect.objectContaining({ code: 'address_invalid' }));
  }
  for (const good of ['http://my_host-1.example:8000', 'http://[::1]:8000', 'http://192.168.0.4']) {
    expect(normalizeUrl(good)).toBe(good);
  }
});
