// The demo's vendor terms: requirements, attribution next to data, and an override with a reason.
import { say } from './checkout.mjs';
import { callApi } from './demo-healthctl.mjs';

/** A term that only informs, so that overriding it does not affect other users of the service. */
const OVERRIDDEN = { provider: 'strava', term: 'research' };
const VALUE = 'Written consent of each person';
const REASON = 'Shown by the demo';

/**
 * @param {{ healthctl: import('./demo-healthctl.mjs').Healthctl, user: string }} demo
 * @param {readonly string[]} connected providers whose data the user has
 */
export async function showTerms({ healthctl, user }, connected) {
  const terms = (...args) => healthctl(['providers', 'terms', ...args, '--output', 'table']);
  say(
    '\nVendor terms. Terms that need acceptance have no effect until you answer, here or on the console’s home page:',
  );
  await terms();
  if (connected.length > 0) {
    say('\nWorkouts, followed by the attribution that vendors require:');
    await healthctl(['data', 'workouts', '--user', user, '--from', '7d', '--all', '--output', 'table']);
  }
  if (await isOverridden(healthctl)) return;
  say('\nAn override needs a reason, which the audit log stores. The demo removes this override again:');
  const { provider, term } = OVERRIDDEN;
  try {
    await terms(provider, '--set', `${term}=${VALUE}`, '--reason', REASON);
  } finally {
    await healthctl(['providers', 'terms', provider, '--reset', term], { capture: true, apart: true });
  }
}

async function isOverridden(healthctl) {
  const { items } = await callApi(healthctl, 'get', '/providers/terms');
  const terms = items.find(({ provider }) => provider === OVERRIDDEN.provider)?.terms ?? [];
  return terms.some(({ term, override }) => term === OVERRIDDEN.term && override !== null);
}
