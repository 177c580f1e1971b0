import { startOuraSimulator } from '@healthd/simulators';
import { testVendorContract } from '../../support/vendor-contract.js';

testVendorContract({
  id: 'oura',
  start: () => startOuraSimulator({ autoConsent: true }),
  failing: { dataType: 'workout', path: '/usercollection/workout' },
  other: { dataType: 'sleep', path: '/usercollection/sleep' },
  fewerScopes: ['extapi:personal', 'extapi:daily'],
  renews: true,
  pages: { path: '/usercollection/daily_sleep' },
});
