/** Counts the characters and lines that a reader of text visits: tests hold it to a multiple of the text's length. */
export interface Tally {
  steps: number;
}
