import { startStravaSimulator } from '@healthd/simulators';
import { testVendorContract } from '../../support/vendor-contract.js';

const UNBOUNDED = 1_000_000;

testVendorContract({
  id: 'strava',
  start: () =>
    startStravaSimulator({
      autoConsent: true,
      limits: { perQuarter: UNBOUNDED, perDay: UNBOUNDED, readsPerQuarter: UNBOUNDED, readsPerDay: UNBOUNDED },
    }),
  options: { values: { READ_STREAMS: 'true' } },
  failing: { dataType: 'activity', path: '/athlete/activities' },
  renews: true,
  pages: { path: '/athlete/activities' },
});
