export { EXIT, type ExitCode } from './exit-codes.js';
export { run } from './run.js';
