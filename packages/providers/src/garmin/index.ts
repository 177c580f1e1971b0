export { GARMIN } from './provider.js';
