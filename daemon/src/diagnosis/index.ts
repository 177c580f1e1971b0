export { type DiagnosisServices, diagnoseUser } from './diagnose-user.js';
export { TroubleGroups } from './group-trouble.js';
