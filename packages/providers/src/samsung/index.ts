export { SAMSUNG } from './provider.js';
