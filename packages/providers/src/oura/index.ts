export { OURA } from './provider.js';
