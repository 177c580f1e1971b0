import { integer } from './setting-types.js';

/** Settings for rate limits per IP address or account. */
export const LIMIT_SETTINGS = {
  loginFailuresBeforeWait: {
    variable: 'LOGIN_FAILURES_BEFORE_WAIT',
    type: integer(0, 1000),
    default: '5',
    help: 'Wrong passwords for an account in a row after which their address waits, up to 15 minutes; 0 never.',
  },
  loginLimitPerAddress: {
    variable: 'LOGIN_LIMIT_PER_ADDRESS',
    type: integer(0, 1_000_000),
    default: '60',
    help: 'Logins a minute from one address; 0 for no limit, as below. Behind a proxy set TRUST_PROXY first.',
  },
  redeemLimitPerAddress: {
    variable: 'REDEEM_LIMIT_PER_ADDRESS',
    type: integer(0, 1_000_000),
    default: '20',
    help: 'Codes redeemed a minute from one address, also wrong ones.',
  },
  acceptLimitPerAddress: {
    variable: 'ACCEPT_LIMIT_PER_ADDRESS',
    type: integer(0, 1_000_000),
    default: '20',
    help: 'Invitations accepted a minute from one address, also wrong ones.',
  },
  connectLimitPerAddress: {
    variable: 'CONNECT_LIMIT_PER_ADDRESS',
    type: integer(0, 1_000_000),
    default: '60',
    help: 'Consents begun a minute from one address with a link, or without a credential.',
  },
  tokenLimitPerAddress: {
    variable: 'TOKEN_LIMIT_PER_ADDRESS',
    type: integer(0, 1_000_000),
    default: '600',
    help: 'User tokens requested a minute from one address.',
  },
  tokenLimitPerApplication: {
    variable: 'TOKEN_LIMIT_PER_APPLICATION',
    type: integer(0, 1_000_000),
    default: '6000',
    help: 'User tokens issued a minute to one application.',
  },
  refreshLimitPerAddress: {
    variable: 'REFRESH_LIMIT_PER_ADDRESS',
    type: integer(0, 1_000_000),
    default: '600',
    help: 'Refreshes a minute from one address; many phones may share one.',
  },
  refreshLimitPerSession: {
    variable: 'REFRESH_LIMIT_PER_SESSION',
    type: integer(0, 1_000_000),
    default: '60',
    help: 'Refreshes a minute of one session.',
  },
  webhookRefusalsPerAddress: {
    variable: 'WEBHOOK_REFUSALS_PER_ADDRESS',
    type: integer(0, 1_000_000),
    default: '60',
    help: 'Webhooks with a wrong signature a minute from one address; more are answered 429.',
  },
} as const;
