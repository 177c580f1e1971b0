import { join } from 'node:path';
import type { z } from 'zod';
import { defaultDataDirectory } from '../data-directory.js';
import { LIMIT_SETTINGS } from './limit-settings.js';
import {
  addresses,
  baseUrl,
  boolean,
  color,
  compactDuration,
  directory,
  emailAddress,
  encryptionKeys,
  headerWord,
  integer,
  offOr,
  oneOf,
  origins,
  size,
  text,
  trustedProxies,
  url,
} from './setting-types.js';

/** Texts of the settings that precede the current setting in the table, by variable. */
type EarlierValues = Readonly<Record<string, string | undefined>>;

export interface SettingDefinition<Type extends z.ZodType = z.ZodType> {
  variable: string;
  /** Fallback variable, read if the main variable is not set. */
  earlierVariable?: string | undefined;
  type: Type;
  /** One sentence for `healthd --help`. */
  help: string;
  /** Default as text. A function may use the settings above it. */
  default?: string | ((earlier: EarlierValues, env: NodeJS.ProcessEnv) => string) | undefined;
  /** Help text for a computed default, or for the effect of a missing value. */
  defaultShown?: string;
  /** True if messages must not contain the value. */
  secret?: true | undefined;
}

/** All settings of the service. A new setting needs only one entry here. */
export const SETTINGS_TABLE = {
  databaseUrl: {
    variable: 'DATABASE_URL',
    type: url('postgres:', 'postgresql:'),
    help: 'Postgres 15 or newer.',
    defaultShown: 'an embedded Postgres in DATA_DIR',
    secret: true,
  },
  mongodbUri: {
    variable: 'MONGODB_URI',
    type: url('mongodb:', 'mongodb+srv:'),
    help: 'MongoDB for jobs.',
    defaultShown: 'stores jobs in Postgres',
    secret: true,
  },
  dataDir: {
    variable: 'DATA_DIR',
    type: directory(),
    default: (_, env) => defaultDataDirectory(env),
    defaultShown: '/var/lib/healthd as root, otherwise ~/.local/share/healthd',
    help: 'Directory of the embedded database, generated keys and the spool.',
  },
  spoolDir: {
    variable: 'SPOOL_DIR',
    type: directory(),
    default: (earlier) => join(earlier.DATA_DIR ?? '', 'spool'),
    defaultShown: 'DATA_DIR/spool',
    help: 'Directory of uploaded files until they are imported; processes with different roles share it.',
  },
  host: {
    variable: 'HOST',
    type: text(1, 'an IP address or host name'),
    default: '127.0.0.1',
    help: 'IP address or host name to listen on.',
  },
  port: {
    variable: 'PORT',
    type: integer(0, 65_535),
    default: '8000',
    help: 'Port of API and console; 0 selects a free port.',
  },
  metricsPort: {
    variable: 'METRICS_PORT',
    type: integer(0, 65_535),
    defaultShown: '9464, or a free port if that is in use',
    help: 'Port of /metrics; 0 disables it.',
  },
  apiBaseUrl: {
    variable: 'API_BASE_URL',
    type: baseUrl(),
    default: (earlier) => `http://localhost:${earlier.PORT}`,
    defaultShown: 'http://localhost:PORT',
    help: 'Public URL of the service, for clients and providers.',
  },
  serviceName: {
    variable: 'SERVICE_NAME',
    type: headerWord(),
    default: 'Service',
    help: 'Word in the API key header X-<word>-API-Key; X-Service-API-Key always works.',
  },
  logLevel: {
    variable: 'LOG_LEVEL',
    type: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    default: 'info',
    help: 'Minimum level of log lines.',
  },
  logRequests: {
    variable: 'LOG_REQUESTS',
    type: boolean(),
    help: 'Log each successful request; on a terminal, DATA_DIR/healthd.log contains them anyway.',
    defaultShown: 'true; false on a terminal',
  },
  secretKey: {
    variable: 'SECRET_KEY',
    type: text(16, 'a secret'),
    help: 'Default webhook secret of all providers; at least 16 characters.',
    defaultShown: 'generated in DATA_DIR with the embedded database; required with DATABASE_URL',
    secret: true,
  },
  encryptionKeys: {
    variable: 'ENCRYPTION_KEY',
    type: encryptionKeys(),
    help: 'Key that encrypts provider tokens: 32 bytes in base64 or hex; list several to rotate, newest first.',
    defaultShown: 'like SECRET_KEY',
    secret: true,
  },
  signingKey: {
    variable: 'SIGNING_KEY',
    type: text(32, 'a secret'),
    help: 'Key that signs access tokens; at least 32 characters.',
    defaultShown: 'like SECRET_KEY',
    secret: true,
  },
  adminEmail: {
    variable: 'ADMIN_EMAIL',
    type: emailAddress(),
    help: 'Email of the first developer account, created if no account exists.',
    defaultShown: 'admin@localhost',
  },
  adminPassword: {
    variable: 'ADMIN_PASSWORD',
    type: text(1, 'a password'),
    help: 'Password of the first developer account.',
    defaultShown: 'a random one, printed once',
    secret: true,
  },
  minPasswordLength: {
    variable: 'MIN_PASSWORD_LENGTH',
    type: integer(1, 128),
    default: '10',
    help: 'Minimum length of new passwords; common passwords and the email are always rejected.',
  },
  accessTokenExpireMinutes: {
    variable: 'ACCESS_TOKEN_EXPIRE_MINUTES',
    type: integer(1, 1440),
    default: '60',
    help: 'Lifetime of an access token in minutes.',
  },
  refreshTokenIdleDays: {
    variable: 'REFRESH_TOKEN_IDLE_DAYS',
    type: integer(1, 3650),
    default: '30',
    help: 'Days after which an unused refresh token expires.',
  },
  refreshTokenAbsoluteDays: {
    variable: 'REFRESH_TOKEN_ABSOLUTE_DAYS',
    type: integer(1, 3650),
    default: '180',
    help: 'Days after login until a session expires, even if it is in use.',
  },
  invitationExpireDays: {
    variable: 'INVITATION_EXPIRE_DAYS',
    type: integer(1, 365),
    default: '7',
    help: 'Days until an invitation for a developer expires.',
  },
  userInvitationCodeExpireDays: {
    variable: 'USER_INVITATION_CODE_EXPIRE_DAYS',
    type: integer(1, 90),
    default: '7',
    help: 'Days until an invitation code for a user expires.',
  },
  ...LIMIT_SETTINGS,
  errorFormat: {
    variable: 'ERROR_FORMAT',
    type: oneOf('standard', 'compat'),
    default: 'standard',
    help: 'compat answers invalid requests with 400 and a text, as older clients expect.',
  },
  corsOrigins: {
    variable: 'CORS_ORIGINS',
    type: origins(),
    help: 'Origins of web pages that may call the API, separated by commas.',
    defaultShown: 'none',
  },
  trustProxy: {
    variable: 'TRUST_PROXY',
    type: trustedProxies(),
    default: 'false',
    help: 'Proxies whose X-Forwarded-For is trusted: their number or their IP addresses.',
  },
  importMaxBytes: {
    variable: 'IMPORT_MAX_BYTES',
    type: size(),
    default: '10GiB',
    help: 'Maximum size of an uploaded export file.',
  },
  importMaxUnpackedBytes: {
    variable: 'IMPORT_MAX_UNPACKED_BYTES',
    type: size(),
    default: '32GiB',
    help: 'Maximum size of an export file after decompression.',
  },
  importMaxRatio: {
    variable: 'IMPORT_MAX_RATIO',
    type: integer(1, 100_000),
    default: '200',
    help: 'Maximum ratio of decompressed to compressed size.',
  },
  pushMaxBytes: {
    variable: 'PUSH_MAX_BYTES',
    type: size(),
    default: '20MiB',
    help: 'Maximum size of a device push, also after decompression.',
  },
  pushInboxMaxBytes: {
    variable: 'PUSH_INBOX_MAX_BYTES',
    type: size(),
    default: '10GiB',
    help: 'Maximum total size of unprocessed device batches; above it, devices must retry later.',
  },
  deliverySpoolMaxBytes: {
    variable: 'DELIVERY_SPOOL_MAX_BYTES',
    type: size(),
    default: '8GiB',
    help: 'Maximum total size of one vendor’s unprocessed deliveries; above it, the vendor must retry later.',
  },
  uploadIdleSeconds: {
    variable: 'UPLOAD_IDLE_SECONDS',
    type: integer(1, 3600),
    default: '60',
    help: 'Seconds without data after which an upload is aborted.',
  },
  failedUploadRetentionDays: {
    variable: 'FAILED_UPLOAD_RETENTION_DAYS',
    type: integer(0, 365),
    default: '7',
    help: 'Days to keep the files and batches of failed or partial imports, so that you can retry them.',
  },
  syncRunRetentionDays: {
    variable: 'SYNC_RUN_RETENTION_DAYS',
    type: integer(1, 3650),
    default: '90',
    help: 'Days to keep finished runs.',
  },
  auditRetentionDays: {
    variable: 'AUDIT_RETENTION_DAYS',
    type: integer(1, 36_500),
    default: '2190',
    help: 'Days to keep audit records; the default is six years.',
  },
  feed: {
    variable: 'FEED',
    type: oneOf('on', 'off'),
    default: 'on',
    help: 'Record every change of health data for applications that keep a copy.',
  },
  feedRetentionDays: {
    variable: 'FEED_RETENTION_DAYS',
    type: integer(1, 3650),
    default: '30',
    help: 'Days to keep recorded changes.',
  },
  feedTombstoneDays: {
    variable: 'FEED_TOMBSTONE_DAYS',
    type: integer(1, 3650),
    default: '400',
    help: 'Days to keep the records of created and erased users in the feed.',
  },
  defaultDataGranularity: {
    variable: 'DEFAULT_DATA_GRANULARITY',
    type: oneOf('raw', 'hourly', 'daily'),
    default: 'raw',
    help: 'Resolution to request from providers that offer several.',
  },
  syncIntervalSeconds: {
    variable: 'SYNC_INTERVAL_SECONDS',
    type: integer(1, 604_800),
    default: '3600',
    help: 'Seconds between syncs of providers in pull mode.',
  },
  pullSyncLookbackMs: {
    variable: 'PULL_SYNC_LOOKBACK',
    type: offOr(compactDuration()),
    default: 'off',
    help: 'Overlap of each sync with the previous one, such as 2d, 20h, 90m or 1d12h.',
  },
  webhookPollIntervalSeconds: {
    variable: 'WEBHOOK_POLL_INTERVAL_SECONDS',
    type: integer(1, 604_800),
    default: '21600',
    help: 'Seconds between polls in webhook mode for data that the vendor does not report.',
  },
  webhookSilenceSeconds: {
    variable: 'WEBHOOK_SILENCE_SECONDS',
    type: integer(1, 31_536_000),
    default: '86400',
    help: 'In webhook mode, seconds without notifications after which a connection is polled for all data. The service waits at least three times the usual interval.',
  },
  historicalSyncOnConnect: {
    variable: 'HISTORICAL_SYNC_ON_CONNECT',
    type: boolean(),
    default: 'true',
    help: 'Start a backfill when a user first connects to a provider; the default will become false.',
  },
  oauthRedirectAllowlist: {
    variable: 'OAUTH_REDIRECT_ALLOWLIST',
    type: addresses(),
    help: 'URLs that users may return to after consent, separated by commas, each matched exactly.',
    defaultShown: 'pages of API_BASE_URL; with the embedded database also pages on localhost',
  },
  consentBinding: {
    variable: 'CONSENT_BINDING',
    type: oneOf('off', 'browser'),
    default: 'off',
    help: 'With browser, authorization_url is a URL of the service that ties the consent to the browser that opens it.',
  },
  publicAuthorize: {
    variable: 'PUBLIC_AUTHORIZE',
    type: boolean(),
    default: 'false',
    help: 'Allow authorize without a credential; callers then need a URL in OAUTH_REDIRECT_ALLOWLIST.',
  },
  connectPageName: {
    variable: 'CONNECT_PAGE_NAME',
    type: text(1, 'a name'),
    help: 'Name of the operator on the connect page.',
    defaultShown: 'no name',
  },
  connectPageColor: {
    variable: 'CONNECT_PAGE_COLOR',
    type: color(),
    default: '#1f5fbf',
    help: 'Color of the buttons on the connect page; their text is black or white, whichever is readable.',
  },
  sleepEndGapMinutes: {
    variable: 'SLEEP_END_GAP_MINUTES',
    type: integer(1, 1440),
    default: '120',
    help: 'Minutes between sleep stages that start a new session.',
  },
  storeRoutes: {
    variable: 'STORE_ROUTES',
    type: boolean(),
    default: 'true',
    help: 'Store positions (latitude and longitude); with false, positions of new data are dropped.',
  },
  activityMerge: {
    variable: 'ACTIVITY_MERGE',
    type: oneOf('source', 'interval'),
    default: 'source',
    help: 'How daily activity combines overlapping sources by default; interval counts each instant once.',
  },
  recoverySelection: {
    variable: 'RECOVERY_SELECTION',
    // Accepts any text. The setting is ignored, so its value must not prevent the start.
    type: text(1),
    defaultShown: 'none',
    help: 'Deprecated and ignored: one rule selects the source of every figure.',
  },
  sandbox: {
    variable: 'SANDBOX',
    type: boolean(),
    default: 'false',
    help: 'Start simulated vendors with made-up users; requires the embedded database and a loopback HOST.',
  },
  decideThreads: {
    variable: 'DECIDE_THREADS',
    type: integer(1, 16),
    default: '2',
    help: 'Threads that compare large batches with stored data, one batch each.',
  },
  jobConcurrency: {
    variable: 'JOB_CONCURRENCY',
    type: integer(1, 64),
    default: '4',
    help: 'Maximum number of concurrent jobs per process.',
  },
} as const satisfies Record<string, SettingDefinition>;
