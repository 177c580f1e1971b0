import { describe, expect, test } from 'vitest';
import { type RedirectRules, allowedRedirect } from './redirect-allowlist.js';

const API = 'https://health.example.org';

function isAllowed(redirectUri: string, rules: Partial<RedirectRules> = {}): boolean {
  try {
    allowedRedirect(redirectUri, { allowlist: undefined, apiBaseUrl: API, allowLoopback: false, ...rules });
    return true;
  } catch {
    return false;
  }
}

describe('without an allowlist', () => {
  test("allows redirects only to the service's own pages", () => {
    expect(isAllowed(`${API}/done?from=health`)).toBe(true);
    for (const elsewhere of [
      'http://health.example.org/done',
      'https://health.example.org.evil.example/done',
      'https://evil.example/https://health.example.org',
      'javascript:alert(1)',
    ]) {
      expect(isAllowed(elsewhere), elsewhere).toBe(false);
    }
  });

  test.each(['http://localhost:3000/back', 'http://127.0.0.1:3000/back', 'http://[::1]:3000/back'])(
    'allows %s only if loopback redirects are enabled',
    (redirectUri) => {
      expect(isAllowed(redirectUri, { allowLoopback: true })).toBe(true);
      expect(isAllowed(redirectUri)).toBe(false);
    },
  );

  test('rejects hosts that only resemble a loopback host', () => {
    expect(isAllowed('http://localhost.evil.example/', { allowLoopback: true })).toBe(false);
  });
});

test("applies an allowlist even to the service's own pages", () => {
  const rules = { allowlist: ['https://app.example.org/back'], allowLoopback: true };
  expect(isAllowed('https://app.example.org/back', rules)).toBe(true);
  expect(isAllowed(`${API}/done`, rules)).toBe(false);
  expect(isAllowed('http://localhost:3000/back', rules)).toBe(false);
});
