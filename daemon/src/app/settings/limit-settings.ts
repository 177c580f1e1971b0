import { integer } from './setting-types.js';

/** Settings of the rate limits per IP address and account. */
export const LIMIT_SETTINGS = {
  loginFailuresBeforeWait: {
    variable: 'LOGIN_FAILURES_BEFORE_WAIT',
    type: integer(0, 1000),
    default: '5',
    help: 'Failed logins in a row after which an IP address must wait up to 15 minutes; 0 disables the limit.',
  },
  loginLimitPerAddress: {
    variable: 'LOGIN_LIMIT_PER_ADDRESS',
    type: integer(0, 1_000_000),
    default: '60',
    help: 'Logins per minute and IP address; 0 means no limit, here and below. Behind a proxy, set TRUST_PROXY first.',
  },
  redeemLimitPerAddress: {
    variable: 'REDEEM_LIMIT_PER_ADDRESS',
    type: integer(0, 1_000_000),
    default: '20',
    help: 'Invitation code redemptions per minute and IP address, including failed ones.',
  },
  acceptLimitPerAddress: {
    variable: 'ACCEPT_LIMIT_PER_ADDRESS',
    type: integer(0, 1_000_000),
    default: '20',
    help: 'Accepted invitations per minute and IP address, including failed attempts.',
  },
  connectLimitPerAddress: {
    variable: 'CONNECT_LIMIT_PER_ADDRESS',
    type: integer(0, 1_000_000),
    default: '60',
    help: 'Consents started per minute and IP address with a connect link or without a credential.',
  },
  tokenLimitPerAddress: {
    variable: 'TOKEN_LIMIT_PER_ADDRESS',
    type: integer(0, 1_000_000),
    default: '600',
    help: 'User token requests per minute and IP address.',
  },
  tokenLimitPerApplication: {
    variable: 'TOKEN_LIMIT_PER_APPLICATION',
    type: integer(0, 1_000_000),
    default: '6000',
    help: 'User tokens per minute and application.',
  },
  refreshLimitPerAddress: {
    variable: 'REFRESH_LIMIT_PER_ADDRESS',
    type: integer(0, 1_000_000),
    default: '600',
    help: 'Token refreshes per minute and IP address; many phones may share an address.',
  },
  refreshLimitPerSession: {
    variable: 'REFRESH_LIMIT_PER_SESSION',
    type: integer(0, 1_000_000),
    default: '60',
    help: 'Token refreshes per minute and session.',
  },
  webhookRejectionsPerAddress: {
    variable: 'WEBHOOK_REFUSALS_PER_ADDRESS',
    type: integer(0, 1_000_000),
    default: '60',
    help: 'Webhooks with an invalid signature per minute and IP address; further ones get a 429.',
  },
} as const;
