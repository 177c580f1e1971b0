export { POLAR } from './provider.js';
