export { AccountForms, type FormChoices } from './account-forms.js';
export type { AccountFacts, SimulatedAccount } from './accounts.js';
export { bearer, type Call, type RequestRecord, type Role } from './call.js';
export { Deliveries, type DeliveryChange, post, type SignedEvent } from './deliveries.js';
export { type FaultLimits, FaultPlan } from './fault-plan.js';
export { type CommonFaultKind, type VendorFault, vendorFaultResponse } from './faults.js';
export type { GrantStore } from './grants.js';
export { authorize, type OAuthRules, revoke, token } from './oauth.js';
export { oauthRole, oauthUrls } from './oauth-paths.js';
export { type CommonControl, commonControl, type VendorControl, vendorControl } from './vendor-control.js';
export {
  type AutomaticConsent,
  type SimulatedClient,
  VendorCore,
  type VendorOptions,
  VendorState,
} from './vendor-core.js';
export { serveVendor } from './vendor-server.js';
