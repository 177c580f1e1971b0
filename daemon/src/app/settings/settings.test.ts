import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MS_PER_MINUTE } from '@healthd/model';
import { afterAll, describe, expect, it } from 'vitest';
import { SettingsError } from '../../platform/settings-error.js';
import { readSettings, settingsHelp } from './settings.js';
import { SETTINGS_TABLE } from './settings-table.js';

const KEY = Buffer.alloc(32, 7).toString('base64');
const SERVER = {
  DATABASE_URL: 'postgres://u:hush@db/healthd',
  SECRET_KEY: 'default webhook secret',
  ENCRYPTION_KEY: KEY,
  SIGNING_KEY: 's'.repeat(32),
};

function problemsOf(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    readSettings(env);
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
}

describe('settings', () => {
  it('have defaults for a local service if only DATA_DIR is set', () => {
    expect(readSettings({ DATA_DIR: '/data' })).toMatchObject({
      dataDir: '/data',
      spoolDir: '/data/spool',
      host: '127.0.0.1',
      port: 8000,
      apiBaseUrl: 'http://localhost:8000',
      serviceName: 'Service',
      errorFormat: 'standard',
      trustProxy: false,
      importMaxBytes: 10 * 2 ** 30,
      importMaxUnpackedBytes: 32 * 2 ** 30,
      importMaxRatio: 200,
      sleepEndGapMinutes: 120,
    });
  });

  it('derive the default URL and spool folder from other settings', () => {
    const settings = readSettings({ PORT: '9000', DATA_DIR: '/srv/x' });
    expect(settings.apiBaseUrl).toBe('http://localhost:9000');
    expect(settings.spoolDir).toBe('/srv/x/spool');
  });

  it('are immutable', () => {
    const settings = readSettings({});
    expect(() => Object.assign(settings, { port: 1 })).toThrow(TypeError);
  });

  it('ignore empty and unknown variables', () => {
    expect(readSettings({ PORT: '', LOG_LEVEL: ' ', HEALTHD_COLOUR: 'red' })).toMatchObject({
      port: 8000,
      logLevel: 'info',
    });
  });

  it.each([
    ['1048576', 1_048_576],
    ['500MB', 500_000_000],
    ['1.5 GiB', 1.5 * 2 ** 30],
    ['2tib', 2 * 2 ** 40],
  ])('read the size %s as %d bytes', (text, bytes) => {
    expect(readSettings({ IMPORT_MAX_BYTES: text }).importMaxBytes).toBe(bytes);
  });

  it.each([
    ['2', 2],
    ['false', false],
    ['10.0.0.0/8, loopback, ::1', ['10.0.0.0/8', 'loopback', '::1']],
  ])('read the TRUST_PROXY value %s', (text, proxies) => {
    expect(readSettings({ TRUST_PROXY: text }).trustProxy).toEqual(proxies);
  });

  it('read several encryption keys in base64 or hex', () => {
    const hex = 'ab'.repeat(32);
    const { encryptionKeys } = readSettings({ ENCRYPTION_KEY: `${KEY}, ${hex}` });
    expect(encryptionKeys?.map((key) => key.toString('hex'))).toEqual(['07'.repeat(32), hex]);
  });
});

describe('validation of settings', () => {
  it('reports all problems with name, value and allowed values', () => {
    expect(problemsOf({ PORT: '80000', LOG_LEVEL: 'loud', IMPORT_MAX_BYTES: '10 bananas' })).toEqual([
      'PORT is "80000" but must be a whole number from 0 to 65535',
      'LOG_LEVEL is "loud" but must be one of fatal, error, warn, info, debug, trace, silent',
      'IMPORT_MAX_BYTES is "10 bananas" but must be a size such as 500MB, 10GiB or a number of bytes, at least 1',
    ]);
  });

  it.each(Object.values(SETTINGS_TABLE).filter((definition) => 'secret' in definition))(
    'never shows the secret $variable',
    ({ variable }) => {
      const found = problemsOf({ [variable]: 'hush', MIN_PASSWORD_LENGTH: '12' }).join('\n');
      expect(found).toContain(variable);
      expect(found).not.toContain('hush');
    },
  );

  it('requires keys with DATABASE_URL', () => {
    expect(problemsOf(SERVER)).toEqual([]);
    expect(problemsOf({ ...SERVER, SIGNING_KEY: undefined, ENCRYPTION_KEY: '' })).toEqual([
      'ENCRYPTION_KEY is unset but is required with DATABASE_URL; `healthd keys` prints new keys',
      'SIGNING_KEY is unset but is required with DATABASE_URL; `healthd keys` prints new keys',
    ]);
  });

  it('rejects a sandbox with a database server, vendor credentials or non-loopback HOST', () => {
    expect(problemsOf({ SANDBOX: 'true' })).toEqual([]);
    expect(problemsOf({ SANDBOX: 'true', HOST: 'localhost' })).toEqual([]);
    expect(problemsOf({ ...SERVER, SANDBOX: 'true', HOST: '0.0.0.0' })).toEqual([
      'SANDBOX requires the embedded database and cannot be used with DATABASE_URL',
      'SANDBOX requires a HOST on the loopback interface, such as 127.0.0.1; it is "0.0.0.0"',
    ]);
    expect(problemsOf({ SANDBOX: 'true', CLOUDHEALTH_CLIENT_ID: 'a', CLOUDHEALTH_CLIENT_SECRET: 'b' })).toEqual([
      'SANDBOX replaces the real vendors and cannot be used with CLOUDHEALTH_CLIENT_ID',
    ]);
  });

  it.each([
    ['METRICS_PORT', '8000'],
    ['CORS_ORIGINS', 'https://app.example.com/path'],
    ['TRUST_PROXY', 'true'],
    ['API_BASE_URL', 'localhost:8000'],
    ['ADMIN_EMAIL', 'admin'],
    ['ADMIN_EMAIL', 'ad\u200bmin@localhost'],
    ['PORT', '-1'],
    ['PORT', '8e3'],
    ['SERVICE_NAME', 'a b'],
    ['PULL_SYNC_LOOKBACK', '2 days'],
    ['PULL_SYNC_LOOKBACK', '90'],
    ['PULL_SYNC_LOOKBACK', '1d-2h'],
    ['HISTORICAL_SYNC_ON_CONNECT', 'maybe'],
    ['DEFAULT_DATA_GRANULARITY', 'minutes'],
    ['SYNC_INTERVAL_SECONDS', '0'],
    ['OAUTH_REDIRECT_ALLOWLIST', 'app.example.com'],
    ['OAUTH_REDIRECT_ALLOWLIST', 'https://app.example.com,javascript:alert(1)'],
    ['CLOUDHEALTH_USE_RECONCILE', 'perhaps'],
    ['CLOUDHEALTH_SERVICE_ACCOUNT_FILE', '/nowhere/key.json'],
    ['CLOUDHEALTH_TOKEN_URL', 'oauth.example.com'],
    ['GOOGLE_TOKEN_URL', 'oauth.example.com'],
  ])('rejects %s=%s', (variable, value) => {
    expect(problemsOf({ [variable]: value })).toEqual([expect.stringContaining(`${variable} is "${value}"`)]);
  });
});

describe('secrets in files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const fileWith = (content: string) => {
    const path = join(folder, `secret-${Math.random()}`);
    writeFileSync(path, content);
    return path;
  };
  const secrets = [
    ...Object.values(SETTINGS_TABLE).flatMap((definition) => ('secret' in definition ? definition.variable : [])),
    'POLAR_CLIENT_SECRET',
    'CLOUDHEALTH_WEBHOOK_SECRET',
  ];

  it.each(secrets)('are read like the variable %s', (variable) => {
    const values: Record<string, string> = {
      ...SERVER,
      MONGODB_URI: 'mongodb://u:p@mongo/jobs',
      ADMIN_PASSWORD: 'a long passphrase of mine',
      POLAR_CLIENT_ID: 'polar',
      POLAR_CLIENT_SECRET: 'polar secret',
      CLOUDHEALTH_WEBHOOK_SECRET: 'a webhook secret of google',
    };
    const { [variable]: value = '', ...others } = values;
    expect(value).not.toBe('');
    const read = readSettings({ ...others, [`${variable}_FILE`]: fileWith(`${value}\n`) });
    expect(read).toEqual(readSettings(values));
  });

  it('are read through an earlier variable name', () => {
    const env = { GOOGLE_CLIENT_ID: 'google', GOOGLE_CLIENT_SECRET_FILE: fileWith('hush') };
    expect(readSettings(env).providers.google?.clientSecret).toBe('hush');
  });

  it('are rejected if the variable is set too', () => {
    const path = fileWith(SERVER.SIGNING_KEY);
    expect(problemsOf({ ...SERVER, SIGNING_KEY_FILE: path })).toEqual([
      'SIGNING_KEY and SIGNING_KEY_FILE are both set; unset one of them',
    ]);
  });

  it.each([
    ['missing', join(folder, 'none')],
    ['a folder', folder],
    ['empty', fileWith(' \n')],
    ['the secret itself', SERVER.SIGNING_KEY],
  ])('are rejected if the file is %s', (_, path) => {
    const { SIGNING_KEY: _key, ...others } = SERVER;
    expect(problemsOf({ ...others, SIGNING_KEY_FILE: path })).toEqual([
      'SIGNING_KEY_FILE must be the path of a readable file that contains the secret',
    ]);
  });

  it('are not shown in an error', () => {
    const { SIGNING_KEY: _key, ...others } = SERVER;
    const found = problemsOf({ ...others, SIGNING_KEY_FILE: fileWith('too short') });
    expect(found).toEqual([
      'SIGNING_KEY_FILE is invalid (its value is not shown): it must be a secret of at least 32 characters',
    ]);
  });

  it('are ignored for settings that are not secrets', () => {
    expect(readSettings({ PORT_FILE: fileWith('9000') }).port).toBe(8000);
  });
});

it('lists every setting in the help without printing "undefined"', () => {
  const help = settingsHelp();
  for (const { variable } of Object.values(SETTINGS_TABLE)) expect(help).toContain(`  ${variable}\n`);
  expect(help).toContain('Default: 10GiB');
  expect(help).not.toContain('undefined');
});

describe('sync settings', () => {
  it.each([
    ['2d', 48 * 60],
    ['20h', 20 * 60],
    ['90m', 90],
    ['1d12h', 36 * 60],
    ['1D12H', 36 * 60],
    ['0m', 0],
  ])('read the lookback %s as %d minutes', (text, minutes) => {
    expect(readSettings({ PULL_SYNC_LOOKBACK: text }).pullSyncLookbackMs).toBe(minutes * MS_PER_MINUTE);
  });

  it.each(['off', 'OFF'])('read %s as no lookback', (text) => {
    expect(readSettings({ PULL_SYNC_LOOKBACK: text }).pullSyncLookbackMs).toBeUndefined();
  });

  it('have the documented defaults', () => {
    const settings = readSettings({});
    expect(settings).toMatchObject({
      defaultDataGranularity: 'raw',
      syncIntervalSeconds: 3600,
      historicalSyncOnConnect: true,
    });
    expect([settings.pullSyncLookbackMs, settings.oauthRedirectAllowlist]).toEqual([undefined, undefined]);
  });

  it('accept several redirect URLs, including app schemes', () => {
    const { oauthRedirectAllowlist } = readSettings({
      OAUTH_REDIRECT_ALLOWLIST: 'https://a.example/x?y=1, coach:done',
    });
    expect(oauthRedirectAllowlist).toEqual(['https://a.example/x?y=1', 'coach:done']);
  });
});

describe('provider settings', () => {
  const google = (env: NodeJS.ProcessEnv) => readSettings(env).providers.google;

  it('default to the vendor’s URLs and scopes', () => {
    expect(google({})).toMatchObject({
      scope: expect.stringContaining('openid email'),
      addresses: { token: 'https://oauth2.googleapis.com/token', revoke: 'https://oauth2.googleapis.com/revoke' },
      values: { USE_RECONCILE: 'true', SUBSCRIBER_ID: 'healthd' },
    });
    expect([google({})?.clientId, google({})?.webhookSecret]).toEqual([undefined, undefined]);
  });

  it('read earlier variable names if the current names are unset', () => {
    const env = { GOOGLE_CLIENT_ID: 'earlier', GOOGLE_CLIENT_SECRET: 'hush', GOOGLE_API_URL: 'http://127.0.0.1:1/' };
    expect(google({ ...env, CLOUDHEALTH_CLIENT_ID: 'present' })).toMatchObject({
      clientId: 'present',
      clientSecret: 'hush',
      addresses: { api: 'http://127.0.0.1:1' },
    });
  });

  it('require both client ID and secret', () => {
    expect(problemsOf({ CLOUDHEALTH_CLIENT_ID: 'id' })).toEqual([
      'CLOUDHEALTH_CLIENT_SECRET is unset but is required with CLOUDHEALTH_CLIENT_ID',
    ]);
    expect(problemsOf({ GOOGLE_CLIENT_SECRET: 'hush' })).toEqual([
      'CLOUDHEALTH_CLIENT_ID is unset but is required with CLOUDHEALTH_CLIENT_SECRET',
    ]);
  });

  it('require a project number, not a project name', () => {
    expect(problemsOf({ CLOUDHEALTH_PROJECT_ID: 'my-project' })).toEqual([
      'CLOUDHEALTH_PROJECT_ID is "my-project" but must be a number (digits only)',
    ]);
    expect(google({ CLOUDHEALTH_PROJECT_ID: '480117332155' })?.values.PROJECT_ID).toBe('480117332155');
  });

  it('list the minimum length of a secret in the help', () => {
    expect(settingsHelp()).toMatch(/ CLOUDHEALTH_WEBHOOK_SECRET\n.*at least 16 characters/);
  });

  it('do not show a rejected secret in the error', () => {
    const found = problemsOf({ CLOUDHEALTH_WEBHOOK_SECRET: 'hush' }).join('\n');
    expect(found).toContain('CLOUDHEALTH_WEBHOOK_SECRET is invalid');
    expect(found).not.toContain('hush');
  });
});
