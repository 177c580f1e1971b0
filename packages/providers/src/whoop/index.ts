export { WHOOP } from './provider.js';
