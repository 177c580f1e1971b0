export { SUUNTO } from './provider.js';
