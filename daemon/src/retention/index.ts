export { ArchivalFigures } from './archival.js';
export { archivalJob, archivalSweeper } from './archival-job.js';
export { type ArchivalSettings, requestRun, writeSettings } from './archival-settings.js';
export { cleaningJob } from './cleaning-job.js';
export { ARCHIVAL_JOB, type ArchivalOutcome, archiveOldData } from './run-archival.js';
export { applyVendorTerms, type TermsOutcome, termsJob, termsSweeper } from './terms-job.js';
