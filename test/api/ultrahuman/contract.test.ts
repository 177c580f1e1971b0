import { startUltrahumanSimulator } from '@healthd/simulators';
import { testVendorContract } from '../../support/vendor-contract.js';

testVendorContract({
  id: 'ultrahuman',
  start: () => startUltrahumanSimulator({ autoConsent: true }),
  // The vendor has only one data type. A 404 means a day without data.
  failing: { dataType: 'metrics', path: '/user_data/metrics' },
  refusals: [400, 403],
  renews: true,
});
