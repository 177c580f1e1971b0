import { startPolarSimulator } from '@healthd/simulators';
import { testVendorContract } from '../../support/vendor-contract.js';

testVendorContract({
  id: 'polar',
  start: () => startPolarSimulator({ autoConsent: true }),
  failing: { dataType: 'activities', path: '/users/activities' },
  other: { dataType: 'sleep', path: '/users/sleep' },
  // Tokens last for ten years.
  renews: false,
  pages: { path: '/continuous-heart-rate' },
});
