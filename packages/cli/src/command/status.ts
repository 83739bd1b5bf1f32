import { type IndexStatus, indexStatus } from '@tapefold/store';
import { EXIT } from '../exit.js';
import { indexPath, openIndex } from '../open-index.js';
import { jsonText } from '../text/json-text.js';
import { counted, sizeText } from '../text/measures.js';
import type { Command } from './session.js';

/** `tapefold status` as typed. */
export interface StatusOptions {
  readonly json?: true | undefined;
}

/** Of whole files all is read, also where a line at the end is not complete yet. */
function readText({ missing, unfinished, bytes, totalBytes }: IndexStatus): string {
  if (missing > 0) return `${sizeText(bytes)} so far`;
  return `${sizeText(bytes)} of ${sizeText(totalBytes)} (${unfinished === 0 ? 100 : Math.floor((bytes / Math.max(totalBytes, 1)) * 100)} %)`;
}

function statusLines(status: IndexStatus): string[] {
  const { path, sizeBytes, threads, missing, unfinished, waitingTexts, holder } = status;
  const notYet = missing + unfinished;
  return [
    `index     ${path}, ${sizeText(sizeBytes)}`,
    `sessions  ${threads} whole${notYet > 0 ? `, ${notYet} not yet` : ''}: ${readText(status)}`,
    `search    ${waitingTexts === 0 ? 'all text' : `the text of ${counted(waitingTexts, 'item')} is still to be indexed`}`,
    `indexing  ${holder ? `process ${holder.pid} on ${holder.host}` : 'nobody; `tapefold index` brings it up to date'}`,
  ];
}

/** How the index stands. */
export const status: Command<StatusOptions> = async ({ output, surroundings, terminal }, { json }) => {
  const store = openIndex(surroundings);
  if (!store) {
    if (json) await output.line('null');
    else terminal.note(`there is no index at ${indexPath(surroundings)}: \`tapefold index\` makes one, and everything works without, more slowly.`);
    await output.flush();
    return EXIT.ok;
  }
  try {
    const told = await indexStatus(store);
    if (json) await output.line(jsonText({ ...told, holder: told.holder ?? null }));
    else for (const line of statusLines(told)) await output.line(line);
  } finally {
    await store.close();
  }
  await output.flush();
  return EXIT.ok;
};
