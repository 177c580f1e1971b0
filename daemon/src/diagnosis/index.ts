export { type DiagnosisServices, diagnoseUser } from './diagnose-user.js';
