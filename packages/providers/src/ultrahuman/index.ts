export { ULTRAHUMAN } from './provider.js';
