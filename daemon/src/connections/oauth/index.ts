export { type ConsentProblem, DEFAULT_ERROR_MESSAGE, knownMessage } from './consent-problems.js';
export { ConsentStates } from './consent-states.js';
export { type ConsentAnswer, type ConsentOutcome, Consents, type ConsentsOptions } from './consents.js';
export type { RedirectRules } from './redirect-allowlist.js';
