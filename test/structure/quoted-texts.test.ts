import { expect, test } from 'vitest';
import { readSources, type SourceFile, sourceFile } from './sources.js';

/**
 * Texts that clients match, because the specification or the description of the compatible API quotes them. A rewording
 * breaks these clients. `{}` represents a value.
 */
const QUOTED = [
  // All routes
  'Server is running!',
  'Not Found',
  'Method Not Allowed',
  'Internal Server Error',
  'Disallowed CORS origin',
  // Invalid requests
  'Field required',
  'JSON decode error',
  'Input should be a valid string',
  'Input should be a valid UUID',
  'Input should be a valid integer, unable to parse string as an integer',
  'Input should be a valid boolean, unable to interpret input',
  'Input should be greater than or equal to {}',
  'Input should be less than or equal to {}',
  "String should match pattern '{}'",
  'String should have at least {}',
  'String should have at most {}',
  'List should have at least {}',
  "Invalid datetime format: '{}'. Expected ISO 8601 format or Unix timestamp.",
  'Invalid cursor format',
  // Credentials
  'Authentication required: provide {} or API key',
  'Invalid or missing API key',
  'Could not validate credentials',
  'Token does not match user_id',
  'Incorrect email or password',
  'Incorrect current password',
  'Invalid or revoked refresh token',
  'Invalid app credentials',
  'Invalid or expired invitation code',
  'Successfully logged out',
  'Password updated successfully',
  // Missing resources
  'Developer with ID: {} not found.',
  'User with ID: {} not found.',
  'Invitation not found',
  'Invitation is {}',
  'Application not found',
  'Refresh token not found',
  'Workout not found',
  'Sleep session not found',
  'Menstrual cycle record not found',
  // Connections and syncs
  "Provider '{}' does not support OAuth",
  "Provider '{}' does not support {}",
  "Provider '{}' does not support historical sync.",
  "Provider '{}' does not support live sync mode configuration",
  "Input should be 'pull' or 'webhook'",
  'Unknown provider: {}',
  "Unknown provider: '{}'",
  'Invalid or expired state parameter',
  'Provider mismatch in state',
  'Failed to exchange authorization code',
  'Token exchange failed',
  'Successfully connected to {}',
  'OAuth authentication failed',
  'Missing OAuth parameters',
  'User not connected to {}',
  'Token expired and no refresh token available for {}',
  '{} authorization expired. Please re-authorize.',
  'No backfill in progress for this user',
  'Invalid type: {}. Valid types: {}',
  // Received data
  'Validation failed: {}',
  'Invalid webhook signature',
  'Invalid JSON body',
];

/** Returns the string literals of the sources, with `{}` for each inserted value. */
function literalsOf(sources: readonly SourceFile[]): string[] {
  return sources.flatMap(({ code }) =>
    [...code.matchAll(/'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)].map((match) =>
      (match[1] ?? match[2] ?? match[3] ?? '').replace(/\$\{[^}]*\}/g, '{}').replace(/\\(['"`])/g, '$1'),
    ),
  );
}

const missingFrom = (literals: readonly string[]) =>
  QUOTED.filter((text) => !literals.some((literal) => literal.includes(text)));

test('keeps every text that clients match', async () => {
  const sources = [...(await readSources('daemon/src')), ...(await readSources('packages'))];
  const served = sources.filter(({ path }) => !path.startsWith('packages/simulators/'));
  expect(missingFrom(literalsOf(served))).toEqual([]);
});

test('detects a reworded text', () => {
  const reworded = QUOTED.map((text) => (text === 'Workout not found' ? 'No such workout' : text));
  const code = reworded.map((text) => `failure(${JSON.stringify(text)});`).join('\n');
  expect(missingFrom(literalsOf([sourceFile('daemon/src/planted.ts', code)]))).toEqual(['Workout not found']);
});
