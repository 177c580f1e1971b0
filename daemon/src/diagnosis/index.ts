export { type DiagnosisServices, diagnoseUser } from './diagnose-user.js';
export { TroubleGroups } from './group-trouble.js';
export { troubleHistoryJob } from './trouble-history.js';
