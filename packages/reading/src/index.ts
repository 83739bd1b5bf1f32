export { type VisibleTextOptions, visibleText } from './visible-text.js';
export type { VisualisationUrl } from './visualisation.js';
export type { Tally } from './tally.js';
export { type ItemText, visibleTextOfItem } from './item-text.js';
export { neutraliseTerminalText } from './terminal-text.js';
