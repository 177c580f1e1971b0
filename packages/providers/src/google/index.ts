export { GOOGLE } from './provider.js';
