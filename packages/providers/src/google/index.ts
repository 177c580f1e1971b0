export { GOOGLE_CLOUD } from './cloud.js';
export { GOOGLE } from './provider.js';
