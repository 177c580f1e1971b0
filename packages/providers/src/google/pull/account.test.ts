import { MS_PER_DAY } from '@healthd/model';
import { type GoogleSimulator, startGoogleSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { VendorError } from '../../cloud/index.js';
import { SCOPES } from '../scopes.js';
import { GOOGLE_PULL } from './adapter.js';
import { consent } from './testing/consent.js';
import { MODES } from './testing/modes.js';
import { SIMULATED } from './testing/user.js';

let simulator: GoogleSimulator;
beforeAll(async () => {
  simulator = await startGoogleSimulator(SIMULATED);
});
afterAll(() => simulator.close());
beforeEach(() => simulator.control.reset());

describe('account', () => {
  it('reports a missing health profile as not linked', async () => {
    await simulator.control.addAccount({ id: 'ben', state: 'not_linked' });
    const { api, scopes } = await consent(simulator, 'ben');
    const failure = await GOOGLE_PULL.account(api, scopes).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(VendorError);
    expect(failure).toMatchObject({ code: 'account_not_linked', reason: 'ACCOUNT_NOT_LINKED' });
  });

  it.each([
    ['legacy', 'account_not_linked'],
    ['no_profile', 'account_not_ready'],
  ] as const)('reports the state %s as %s', async (state, code) => {
    await simulator.control.addAccount({ id: 'ben', state });
    const { api, scopes } = await consent(simulator, 'ben');
    await expect(GOOGLE_PULL.account(api, scopes)).rejects.toMatchObject({ code });
  });

  it('uses the newest point’s offset if the user withholds the time zone', async () => {
    await simulator.control.setClock('2026-11-10T12:00:00Z');
    for (const id of ['anna', 'ben']) await simulator.control.addAccount({ id, timeZone: 'Asia/Kolkata' });
    await simulator.control.seedHistory('ben', { days: 3, dataTypes: ['heart-rate'] });
    const all = await consent(simulator, 'anna');
    expect(await GOOGLE_PULL.account(all.api, all.scopes)).toMatchObject({ timeZone: 'Asia/Kolkata' });
    const some = await consent(simulator, 'ben', `openid ${SCOPES.health}`);
    expect(await GOOGLE_PULL.account(some.api, some.scopes)).toEqual({ offsetMinutes: 330, scopes: some.scopes });
  });

  it('reports a data type without consent as a missing scope', async () => {
    await simulator.control.addAccount({ id: 'anna' });
    const { api, scopes } = await consent(simulator, 'anna', `openid ${SCOPES.sleep}`);
    const window = { startMs: 0, endMs: MS_PER_DAY };
    const reading = GOOGLE_PULL.read(api, 'steps', window, MODES.reconcile, { scopes });
    await expect(reading).rejects.toMatchObject({ code: 'scope_missing' });
  });
});
