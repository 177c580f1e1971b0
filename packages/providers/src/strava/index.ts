export { STRAVA } from './provider.js';
