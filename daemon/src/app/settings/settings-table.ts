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

/** Values of the earlier settings in the table, by variable, as text. */
type EarlierValues = Readonly<Record<string, string | undefined>>;

export interface SettingDefinition<Type extends z.ZodType = z.ZodType> {
  variable: string;
  /** Fallback variable, read if the main one is not set. */
  earlierVariable?: string | undefined;
  type: Type;
  /** One sentence for `healthd --help`. */
  help: string;
  /** Default text. A computed default may use settings above it. */
  default?: string | ((earlier: EarlierValues, env: NodeJS.ProcessEnv) => string) | undefined;
  /** Help text for a computed default, or for the effect of a missing value. */
  defaultShown?: string;
  /** True hides the value from messages. */
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
    defaultShown: 'jobs are kept in Postgres',
    secret: true,
  },
  dataDir: {
    variable: 'DATA_DIR',
    type: directory(),
    default: (_, env) => defaultDataDirectory(env),
    defaultShown: '/var/lib/healthd as root, else ~/.local/share/healthd',
    help: 'Embedded database, generated keys, spool.',
  },
  spoolDir: {
    variable: 'SPOOL_DIR',
    type: directory(),
    default: (earlier) => join(earlier.DATA_DIR ?? '', 'spool'),
    defaultShown: 'DATA_DIR/spool',
    help: 'Uploaded files until they are read; processes with different roles share it.',
  },
  host: {
    variable: 'HOST',
    type: text(1, 'an address or host name'),
    default: '127.0.0.1',
    help: 'Address to listen on.',
  },
  port: {
    variable: 'PORT',
    type: integer(0, 65_535),
    default: '8000',
    help: 'Port of API and console; 0 takes a free one.',
  },
  metricsPort: {
    variable: 'METRICS_PORT',
    type: integer(0, 65_535),
    defaultShown: '9464, or a free one where that is taken',
    help: 'Port of /metrics; 0 turns it off.',
  },
  apiBaseUrl: {
    variable: 'API_BASE_URL',
    type: baseUrl(),
    default: (earlier) => `http://localhost:${earlier.PORT}`,
    defaultShown: 'http://localhost:PORT',
    help: 'Where clients and providers reach the service.',
  },
  serviceName: {
    variable: 'SERVICE_NAME',
    type: headerWord(),
    default: 'Service',
    help: 'The word in the API-key header X-<word>-API-Key; X-Service-API-Key always works.',
  },
  logLevel: {
    variable: 'LOG_LEVEL',
    type: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    default: 'info',
    help: 'How much is logged.',
  },
  logRequests: {
    variable: 'LOG_REQUESTS',
    type: boolean(),
    help: 'Whether requests that went well are logged one by one; on a terminal DATA_DIR/healthd.log has them anyway.',
    defaultShown: 'true, on a terminal false',
  },
  secretKey: {
    variable: 'SECRET_KEY',
    type: text(16, 'a secret'),
    help: 'The default webhook secret, and nothing else; at least 16 characters.',
    defaultShown: 'generated into DATA_DIR with the embedded database, required with DATABASE_URL',
    secret: true,
  },
  encryptionKeys: {
    variable: 'ENCRYPTION_KEY',
    type: encryptionKeys(),
    help: 'Encrypts provider tokens: 32 bytes in base64 or hex; several for rotation, the newest first.',
    defaultShown: 'as SECRET_KEY',
    secret: true,
  },
  signingKey: {
    variable: 'SIGNING_KEY',
    type: text(32, 'a secret'),
    help: 'Signs access tokens; at least 32 characters.',
    defaultShown: 'as SECRET_KEY',
    secret: true,
  },
  adminEmail: {
    variable: 'ADMIN_EMAIL',
    type: emailAddress(),
    help: 'The first developer account, made when there is none.',
    defaultShown: 'admin@localhost',
  },
  adminPassword: {
    variable: 'ADMIN_PASSWORD',
    type: text(1, 'a password'),
    help: 'Its password.',
    defaultShown: 'a random one, printed once',
    secret: true,
  },
  minPasswordLength: {
    variable: 'MIN_PASSWORD_LENGTH',
    type: integer(1, 128),
    default: '10',
    help: 'Characters of a new password at least; the most common ones and the email are never taken.',
  },
  accessTokenExpireMinutes: {
    variable: 'ACCESS_TOKEN_EXPIRE_MINUTES',
    type: integer(1, 1440),
    default: '60',
    help: 'Life of an access token.',
  },
  refreshTokenIdleDays: {
    variable: 'REFRESH_TOKEN_IDLE_DAYS',
    type: integer(1, 3650),
    default: '30',
    help: 'A refresh token that is not used for so long ends.',
  },
  refreshTokenAbsoluteDays: {
    variable: 'REFRESH_TOKEN_ABSOLUTE_DAYS',
    type: integer(1, 3650),
    default: '180',
    help: 'A session ends so long after its login, used or not.',
  },
  invitationExpireDays: {
    variable: 'INVITATION_EXPIRE_DAYS',
    type: integer(1, 365),
    default: '7',
    help: 'How long a developer can accept an invitation.',
  },
  userInvitationCodeExpireDays: {
    variable: 'USER_INVITATION_CODE_EXPIRE_DAYS',
    type: integer(1, 90),
    default: '7',
    help: 'How long a user can redeem a code.',
  },
  ...LIMIT_SETTINGS,
  errorFormat: {
    variable: 'ERROR_FORMAT',
    type: oneOf('standard', 'compat'),
    default: 'standard',
    help: 'compat answers wrong input with 400 and a text, as older clients expect.',
  },
  corsOrigins: {
    variable: 'CORS_ORIGINS',
    type: origins(),
    help: 'Web pages of other origins that may call the API, separated by commas.',
    defaultShown: 'none',
  },
  trustProxy: {
    variable: 'TRUST_PROXY',
    type: trustedProxies(),
    default: 'false',
    help: 'Proxies whose X-Forwarded-For is believed: how many, or their addresses.',
  },
  importMaxBytes: {
    variable: 'IMPORT_MAX_BYTES',
    type: size(),
    default: '10GiB',
    help: 'Size of an uploaded export file.',
  },
  importMaxUnpackedBytes: {
    variable: 'IMPORT_MAX_UNPACKED_BYTES',
    type: size(),
    default: '32GiB',
    help: 'Size of its content after unpacking.',
  },
  importMaxRatio: {
    variable: 'IMPORT_MAX_RATIO',
    type: integer(1, 100_000),
    default: '200',
    help: 'Unpacked bytes for each packed byte.',
  },
  pushMaxBytes: {
    variable: 'PUSH_MAX_BYTES',
    type: size(),
    default: '20MiB',
    help: 'Size of one request of a device, after unpacking as well.',
  },
  pushInboxMaxBytes: {
    variable: 'PUSH_INBOX_MAX_BYTES',
    type: size(),
    default: '10GiB',
    help: 'Size of all batches that devices have sent and that are not processed; beyond it devices are asked to retry later.',
  },
  deliverySpoolMaxBytes: {
    variable: 'DELIVERY_SPOOL_MAX_BYTES',
    type: size(),
    default: '8GiB',
    help: 'Size of all that one vendor has delivered and that is not read; beyond it the vendor is asked to send again later.',
  },
  uploadIdleSeconds: {
    variable: 'UPLOAD_IDLE_SECONDS',
    type: integer(1, 3600),
    default: '60',
    help: 'An upload that sends nothing for so long is given up.',
  },
  failedUploadRetentionDays: {
    variable: 'FAILED_UPLOAD_RETENTION_DAYS',
    type: integer(0, 365),
    default: '7',
    help: 'How long the file of a failed or partial import and the body of such a batch are kept, so that they can be retried.',
  },
  syncRunRetentionDays: {
    variable: 'SYNC_RUN_RETENTION_DAYS',
    type: integer(1, 3650),
    default: '90',
    help: 'How long finished runs are listed.',
  },
  auditRetentionDays: {
    variable: 'AUDIT_RETENTION_DAYS',
    type: integer(1, 36_500),
    default: '2190',
    help: 'How long the audit trail says who did what; six years unless set otherwise.',
  },
  defaultDataGranularity: {
    variable: 'DEFAULT_DATA_GRANULARITY',
    type: oneOf('raw', 'hourly', 'daily'),
    default: 'raw',
    help: 'How fine the data are that providers are asked for, where they give a choice.',
  },
  syncIntervalSeconds: {
    variable: 'SYNC_INTERVAL_SECONDS',
    type: integer(1, 604_800),
    default: '3600',
    help: 'How often providers in pull mode are asked for new data.',
  },
  pullSyncLookbackMs: {
    variable: 'PULL_SYNC_LOOKBACK',
    type: offOr(compactDuration()),
    default: 'off',
    help: 'How far each pull reaches back behind what it knows already, such as 2d, 20h, 90m or 1d12h.',
  },
  webhookPollIntervalSeconds: {
    variable: 'WEBHOOK_POLL_INTERVAL_SECONDS',
    type: integer(1, 604_800),
    default: '21600',
    help: 'How often a connection in webhook mode is polled for what the vendor does not report.',
  },
  webhookSilenceSeconds: {
    variable: 'WEBHOOK_SILENCE_SECONDS',
    type: integer(1, 31_536_000),
    default: '86400',
    help: 'A connection in webhook mode without notifications for so long, and for three times its usual pause, is polled for everything.',
  },
  historicalSyncOnConnect: {
    variable: 'HISTORICAL_SYNC_ON_CONNECT',
    type: boolean(),
    default: 'true',
    help: 'Whether the first connection of a user to a provider fetches older data by itself; will be false one day.',
  },
  oauthRedirectAllowlist: {
    variable: 'OAUTH_REDIRECT_ALLOWLIST',
    type: addresses(),
    help: 'Where people may be sent after they consented: addresses separated by commas, each matched exactly.',
    defaultShown: 'pages of API_BASE_URL; with the embedded database also of this machine',
  },
  consentBinding: {
    variable: 'CONSENT_BINDING',
    type: oneOf('off', 'browser'),
    default: 'off',
    help: 'browser: authorization_url is an address of the service that ties the consent to the browser which opens it.',
  },
  publicAuthorize: {
    variable: 'PUBLIC_AUTHORIZE',
    type: boolean(),
    default: 'false',
    help: 'Whether authorize takes callers without a credential; they need an address of OAUTH_REDIRECT_ALLOWLIST.',
  },
  connectPageName: {
    variable: 'CONNECT_PAGE_NAME',
    type: text(1, 'a name'),
    help: 'Who runs the service, on the page on which people connect by a link.',
    defaultShown: 'no name',
  },
  connectPageColor: {
    variable: 'CONNECT_PAGE_COLOR',
    type: color(),
    default: '#1f5fbf',
    help: 'Colour of the buttons of that page; their words become black or white, so that they can be read.',
  },
  sleepEndGapMinutes: {
    variable: 'SLEEP_END_GAP_MINUTES',
    type: integer(1, 1440),
    default: '120',
    help: 'Sleep stages further apart belong to two sessions.',
  },
  activityMerge: {
    variable: 'ACTIVITY_MERGE',
    type: oneOf('source', 'interval'),
    default: 'source',
    help: 'How daily activity treats sources that overlap, unless a request says it; interval counts each instant once.',
  },
  recoverySelection: {
    variable: 'RECOVERY_SELECTION',
    // Accepts any text, because an ignored value must not prevent the start.
    type: text(1),
    defaultShown: 'none',
    help: 'Deprecated and ignored: one rule selects the source of every figure.',
  },
  sandbox: {
    variable: 'SANDBOX',
    type: boolean(),
    default: 'false',
    help: 'Starts simulated vendors with made-up people beside the service; needs the embedded database and a loopback HOST.',
  },
  decideThreads: {
    variable: 'DECIDE_THREADS',
    type: integer(1, 16),
    default: '2',
    help: 'Threads that compare large batches with what is stored, one batch each.',
  },
  jobConcurrency: {
    variable: 'JOB_CONCURRENCY',
    type: integer(1, 64),
    default: '4',
    help: 'Jobs that one process works on at a time.',
  },
} as const satisfies Record<string, SettingDefinition>;
