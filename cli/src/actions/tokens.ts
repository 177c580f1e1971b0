import { createInvitationCode, createUserToken, redeemInvitationCode, revokeToken } from '@healthd/contract';
import type { InvitationCodeResponse, UserTokens } from '@healthd/schemas';
import type { Cli } from '../cli.js';
import { type FieldPath, NO_FIELDS } from '../output/fields.js';
import { at } from '../output/instant.js';
import { writeRecord } from '../output/writer.js';
import { durationText } from '../ui/amounts.js';
import { takeSecret } from '../ui/prompt.js';

type Tokens = Omit<UserTokens, 'user_id'>;

const TOKEN_FIELDS = [
  'access_token',
  'token_type',
  'refresh_token',
  'expires_in',
] as const satisfies FieldPath<Tokens>[];
const tokenPairs = ({ access_token, refresh_token, expires_in }: Tokens) =>
  [
    ['Access token', access_token],
    ['Good for', durationText(expires_in)],
    ['Refresh token', refresh_token],
  ] as const;

export interface CreateTokenOptions {
  user: string;
  app?: string;
}

/** `healthctl tokens create` */
export async function createToken(cli: Cli, { user, app }: CreateTokenOptions): Promise<void> {
  cli.willWrite({ fields: TOKEN_FIELDS });
  const body =
    app === undefined ? undefined : { app_id: app, app_secret: await takeSecret(cli.terminal, 'Secret of the app') };
  const client = await cli.client();
  const tokens = await client.call(createUserToken, { params: { user_id: user }, body, signal: cli.signal });
  await writeRecord(cli.sink, { fields: TOKEN_FIELDS, pairs: tokenPairs }, tokens);
  cli.hint('The access token opens the /sdk/ routes of this user and nothing else.');
}

const CODE_SHAPE = {
  fields: ['id', 'code', 'user_id', 'expires_at', 'created_at'] as const satisfies FieldPath<InvitationCodeResponse>[],
  pairs: ({ code, expires_at }: InvitationCodeResponse) =>
    [
      ['Code', code],
      ['Good until', at(expires_at)],
    ] as const,
};

/** `healthctl tokens code` */
export async function createCode(cli: Cli, { user }: { user: string }): Promise<void> {
  cli.willWrite(CODE_SHAPE);
  const client = await cli.client();
  const code = await client.call(createInvitationCode, { params: { user_id: user }, signal: cli.signal });
  await writeRecord(cli.sink, CODE_SHAPE, code);
}

const REDEEMED = { fields: ['user_id', ...TOKEN_FIELDS] as const };

/** `healthctl tokens redeem` */
export async function redeemCode(cli: Cli, code: string): Promise<void> {
  cli.willWrite(REDEEMED);
  const client = await cli.client();
  const tokens = await client.call(redeemInvitationCode, { body: { code }, signal: cli.signal });
  const pairs = (record: UserTokens) => [['User', record.user_id] as const, ...tokenPairs(record)];
  await writeRecord(cli.sink, { ...REDEEMED, pairs }, tokens);
}

/** `healthctl tokens revoke` */
export async function revoke(cli: Cli): Promise<void> {
  cli.willWrite(NO_FIELDS);
  const refresh_token = await takeSecret(cli.terminal, 'Refresh token');
  const client = await cli.client();
  await client.call(revokeToken, { body: { refresh_token }, signal: cli.signal });
  cli.say('Revoked: the login that this refresh token belongs to has ended.');
}
