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

test('the address: flag before environment before project file before user file before default', () => {
  const flags = { url: 'http://flag' };
  const env = { HEALTHCTL_URL: 'http://env' };
  const project = { path: 'p', url: 'http://project' };
  expect(resolve({ flags, env, project })).toMatchObject({ url: 'http://flag', urlOrigin: 'flag' });
  expect(resolve({ env, project })).toMatchObject({ url: 'http://env', urlOrigin: 'environment' });
  expect(resolve({ project })).toMatchObject({ url: 'http://project', urlOrigin: 'project file' });
  expect(resolve({})).toMatchObject({ url: 'http://localhost:8000', urlOrigin: 'user file' });
  expect(resolve({ profile: { contexts: {} } })).toMatchObject({ url: DEFAULT_URL, urlOrigin: 'default' });
});

test('the secret of the environment goes before stored ones', () => {
  expect(resolve({ env: { HEALTHCTL_TOKEN: 'sk-env' } })).toMatchObject({ token: 'sk-env' });
});

test('a named context goes before the environment, address and credential alike', () => {
  const env = { HEALTHCTL_URL: 'http://env', HEALTHCTL_TOKEN: 'sk-env' };
  const found = resolve({ flags: { context: 'staging' }, env });
  expect(found).toMatchObject({ url: 'https://staging.example.org', contextName: 'staging' });
  expect(found.token).toBeUndefined();
  expect(found.stored?.api_key).toBe('sk-staging');
});

test('a stored credential is sent only to the address that it was stored for', () => {
  expect(resolve({ flags: { url: 'http://evil.example' } }).stored).toBeUndefined();
  expect(resolve({ flags: { url: 'staging.example.org' } }).stored).toBeUndefined();
  expect(resolve({ flags: { url: 'https://staging.example.org/' } }).stored?.api_key).toBe('sk-staging');
  expect(resolve({ flags: { url: 'http://evil.example', context: 'local' } }).stored).toBeUndefined();
});

test('a credential of this machine is known by each name of this machine, of the same port only', () => {
  for (const url of ['http://127.0.0.1:8000', 'http://[::1]:8000', 'localhost:8000']) {
    expect(resolve({ flags: { url } }).stored?.api_key, url).toBe('sk-local');
  }
  for (const url of ['http://127.0.0.1:8001', 'https://127.0.0.1:8000', 'http://127.0.0.2:8000']) {
    expect(resolve({ flags: { url } }).stored, url).toBeUndefined();
  }
});

test('a project file cannot send the secret of the environment to its own address', () => {
  const project = { path: 'p', url: 'http://evil.example' };
  const found = resolve({ project, env: { HEALTHCTL_TOKEN: 'sk-env' } });
  expect(found.token).toBeUndefined();
  expect(found.stored).toBeUndefined();
});

test('an unknown context is wrong usage and the message names the known ones', () => {
  expect(() => resolve({ flags: { context: 'nope' } })).toThrow(
    expect.objectContaining({ code: 'unknown_context', hint: expect.stringContaining('local, staging'), exitCode: 2 }),
  );
});

test('addresses may lack the scheme, and may not carry credentials or another scheme', () => {
  expect(normalizeUrl('localhost:8000')).toBe('http://localhost:8000');
  expect(normalizeUrl('https://a.example/')).toBe('https://a.example');
  for (const bad of ['ftp://a', 'http://u:p@a', 'http://', 'file:///etc/passwd']) {
    expect(() => normalizeUrl(bad)).toThrow(expect.objectContaining({ code: 'address_invalid' }));
  }
});

test('of two contexts of one address the selected one is used, and one that is gone is none', () => {
  const { url } = PROFILE.contexts.local;
  const contexts = { first: { url, api_key: 'sk-first' }, second: { url, api_key: 'sk-second' } };
  expect(resolve({ profile: { current: 'second', contexts } })).toMatchObject({ contextName: 'second' });
  const found = resolve({ flags: { url }, profile: { current: 'gone', contexts } });
  expect(found).toMatchObject({ contextName: 'first', stored: { api_key: 'sk-first' } });
});

test('only what stands at the beginning of an address is its scheme', () => {
  expect(normalizeUrl('a.example/?next=http://b.example')).toBe('http://a.example');
  expect(() => normalizeUrl('ftp://a')).toThrow(
    expect.objectContaining({ hint: expect.stringContaining('https://health.example.org'), exitCode: 2 }),
  );
});

test('an address whose host holds what a shell would act on is refused, and names, IPv6 and ports are not', () => {
  for (const bad of ['http://a&calc.exe', 'http://a;b', 'http://$(id)', "http://a'b", 'http://a`b']) {
    expect(() => normalizeUrl(bad), bad).toThrow(expect.objectContaining({ code: 'address_invalid' }));
  }
  for (const good of ['http://my_host-1.example:8000', 'http://[::1]:8000', 'http://192.168.0.4']) {
    expect(normalizeUrl(good)).toBe(good);
  }
});
