import { MS_PER_DAY } from '@healthd/model';
import type { Recorder } from './recorder.js';

const CONSOLE = { 'X-Healthd-Console': '1' };
const PASSWORD = 'hd_example_new_password';
const IN_A_YEAR = new Date(Date.now() + 365 * MS_PER_DAY).toISOString();

/** Logs in the first developer, for all later calls. */
export async function logIn(recorder: Recorder): Promise<void> {
  const { email, password } = recorder.service;
  const body = { username: email, password, grant_type: 'password' };
  recorder.developerToken = (await recorder.call('login', { body })).access_token;
}

/** Records examples for sessions, developers, invitations, API keys and applications. */
export async function recordAccounts(recorder: Recorder): Promise<void> {
  await recordDevelopers(recorder);
  await recordKeys(recorder);
  await recordSessions(recorder);
}

async function recordDevelopers(recorder: Recorder): Promise<void> {
  const { password } = recorder.service;
  await recorder.call('currentDeveloper');
  await recorder.call('updateCurrentDeveloper', { body: { first_name: 'Ada', last_name: 'Example' } });
  const change = { current_password: password, new_password: PASSWORD, confirm_password: PASSWORD };
  await recorder.call('changePassword', { body: change });

  const invite = (name: string) => recorder.call('createInvitation', { body: { email: `${name}@clinic.example` } });
  const { id: invitation_id } = await invite('grace');
  await recorder.call('listInvitations');
  const { token } = await recorder.call('resendInvitation', { path: { invitation_id } });
  const user = { first_name: 'Grace', last_name: 'Example', password: PASSWORD };
  const { id: developer_id } = await recorder.call('acceptInvitation', { body: { token, ...user } });
  await recorder.call('revokeInvitation', { path: { invitation_id: (await invite('joan')).id } });

  await recorder.call('listDevelopers');
  await recorder.call('getDeveloper', { path: { developer_id } });
  await recorder.call('updateDeveloper', { path: { developer_id }, body: { last_name: 'Sample' } });
  await recorder.call('deleteDeveloper', { path: { developer_id } });
}

async function recordKeys(recorder: Recorder): Promise<void> {
  const body = { name: 'Reports', scopes: ['read'], expires_at: IN_A_YEAR };
  const { id: key_id } = await recorder.call('createApiKey', { body });
  await recorder.call('listApiKeys');
  await recorder.call('renameApiKey', { path: { key_id }, body: { name: 'Monthly reports' } });
  const rotated = await recorder.call('rotateApiKey', { path: { key_id }, body: { grace_seconds: 3600 } });
  await recorder.call('deleteApiKey', { path: { key_id: rotated.id } });

  const { app_id } = await recorder.call('createApplication', { body: { name: 'Phone app' } });
  await recorder.call('listApplications');
  const { app_secret } = await recorder.call('rotateApplicationSecret', { path: { app_id } });
  const { id: user_id } = await recorder.call('createUser', {
    body: { first_name: 'Anna', last_name: 'Example', email: 'anna@clinic.example', time_zone: 'Europe/Warsaw' },
  });
  await recorder.call('createUserToken', { path: { user_id }, body: { app_id, app_secret } });
  const { code } = await recorder.call('createInvitationCode', { path: { user_id } });
  await recorder.call('redeemInvitationCode', { body: { code } });
  await recorder.call('deleteApplication', { path: { app_id } });
}

async function recordSessions(recorder: Recorder): Promise<void> {
  const credentials = { username: recorder.service.email, password: PASSWORD };
  const { refresh_token } = await recorder.call('login', { body: credentials });
  const renewed = await recorder.call('refreshTokens', { body: { refresh_token } });
  await recorder.call('revokeToken', { body: { refresh_token: renewed.refresh_token } });

  const opened = await recorder.answerOf('openConsoleSession', { body: credentials, headers: CONSOLE });
  const again = await recorder.answerOf('renewConsoleSession', { headers: { ...CONSOLE, Cookie: cookieOf(opened) } });
  await recorder.call('endConsoleSession', { headers: { ...CONSOLE, Cookie: cookieOf(again) } });

  const stays = recorder.developerToken;
  recorder.developerToken = (await recorder.call('login', { body: credentials })).access_token;
  await recorder.call('logout');
  recorder.developerToken = stays;
}

function cookieOf({ headers }: { headers: Headers }): string {
  return (headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
}
