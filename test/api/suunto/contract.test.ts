import { startSuuntoSimulator } from '@healthd/simulators';
import { testVendorContract } from '../../support/vendor-contract.js';

const UNBOUNDED = 1_000_000;

testVendorContract({
  id: 'suunto',
  start: () => startSuuntoSimulator({ autoConsent: true, limits: { perMinute: UNBOUNDED, perWeek: UNBOUNDED } }),
  options: { values: { READ_FIT_FILES: 'true' } },
  failing: { dataType: 'sleep', path: '/247samples/sleep' },
  other: { dataType: 'activity', path: '/247samples/activity' },
  renews: true,
  pages: { path: '/247samples/activity' },
});
