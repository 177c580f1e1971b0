import { createInvitationCode, createUserToken, redeemInvitationCode, revokeToken } from '@healthd/contract';
import type { InvitationCodeResponse, UserTokens } from '@healthd/schemas';
import type { Command } from 'commander';
import type { Cli } from '../cli.js';
import { type FieldPath, NO_FIELDS } from '../output/fields.js';
import { at } from '../output/instant.js';
import { writeRecord } from '../output/writer.js';
import { durationText } from '../ui/amounts.js';
import { takeSecret } from '../ui/prompt.js';
import type { Bind } from './bind.js';
import { withExamples } from './examples.js';
import { userOption } from './values.js';

/** `tokens create|code|redeem|revoke` */
export function addTokensCommands(program: Command, bind: Bind): void {
  const tokens = program
    .command('tokens')
    .helpCommand(false)
    .description('Tokens and codes that let a user’s phone push data.')
    .summary('tokens and codes for phones that push');
  tokens
    .command('create')
    .description(
      'Creates tokens that let a device push data of one user. Requires a developer login, or the app id and secret of an application.',
    )
    .summary('create tokens for a user')
    .addOption(userOption())
    .option('--app <app_id>', 'act as this application; prompts for its secret, or reads it from stdin')
    .action(bind(createToken));
  withExamples(
    tokens
      .command('code')
      .description(
        'Creates an eight-character code that a user enters in the app. It expires after 7 days. Earlier codes of the user stop working. Requires a developer login.',
      )
      .summary('create a code that a user enters in the app')
      .addOption(userOption())
      .action(bind(createCode)),
    'healthctl tokens code --user anna@example.org',
  );
  tokens
    .command('redeem')
    .description(
      'Exchanges a code for the user’s tokens, as the app does. The code works only once. Requires no login.',
    )
    .summary('exchange a code for tokens, as the app does')
    .argument('<code>', 'the code; ignores case, spaces and dashes')
    .action(bind(redeemCode));
  tokens
    .command('revoke')
    .description(
      'Revokes a refresh token and its login. Prompts for the token, or reads it from stdin. Requires no login.',
    )
    .summary('revoke a refresh token and its login')
    .action(bind(revoke));
}

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
    ['Expires in', durationText(expires_in)],
    ['Refresh token', refresh_token],
  ] as const;

interface CreateTokenOptions {
  user: string;
  app?: string;
}

/** `healthctl tokens create` */
async function createToken(cli: Cli, { user, app }: CreateTokenOptions): Promise<void> {
  cli.willWrite({ fields: TOKEN_FIELDS });
  const body =
    app === undefined ? undefined : { app_id: app, app_secret: await takeSecret(cli.terminal, 'App secret') };
  const client = await cli.client();
  const tokens = await client.call(createUserToken, { params: { user_id: user }, body, signal: cli.signal });
  await writeRecord(cli.sink, { fields: TOKEN_FIELDS, pairs: tokenPairs }, tokens);
  cli.hint('The access token is only valid for this user’s /sdk/ routes.');
}

const CODE_SHAPE = {
  fields: ['id', 'code', 'user_id', 'expires_at', 'created_at'] as const satisfies FieldPath<InvitationCodeResponse>[],
  pairs: ({ code, expires_at }: InvitationCodeResponse) =>
    [
      ['Code', code],
      ['Expires', at(expires_at)],
    ] as const,
};

/** `healthctl tokens code` */
async function createCode(cli: Cli, { user }: { user: string }): Promise<void> {
  cli.willWrite(CODE_SHAPE);
  const client = await cli.client();
  const code = await client.call(createInvitationCode, { params: { user_id: user }, signal: cli.signal });
  await writeRecord(cli.sink, CODE_SHAPE, code);
}

const REDEEMED = { fields: ['user_id', ...TOKEN_FIELDS] as const };

/** `healthctl tokens redeem` */
async function redeemCode(cli: Cli, code: string): Promise<void> {
  cli.willWrite(REDEEMED);
  const client = await cli.client();
  const tokens = await client.call(redeemInvitationCode, { body: { code }, signal: cli.signal });
  const pairs = (record: UserTokens) => [['User', record.user_id] as const, ...tokenPairs(record)];
  await writeRecord(cli.sink, { ...REDEEMED, pairs }, tokens);
}

/** `healthctl tokens revoke` */
async function revoke(cli: Cli): Promise<void> {
  cli.willWrite(NO_FIELDS);
  const refresh_token = await takeSecret(cli.terminal, 'Refresh token');
  const client = await cli.client();
  await client.call(revokeToken, { body: { refresh_token }, signal: cli.signal });
  cli.say('Revoked the refresh token and its login.');
}
