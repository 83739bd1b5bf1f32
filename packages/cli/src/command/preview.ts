import { EXIT } from '../exit.js';
import { previewScreenLines } from '../render/preview-lines.js';
import { jsonText } from '../text/json-text.js';
import type { Command } from './session.js';

/** `tapefold preview` as typed. */
export interface PreviewOptions {
  readonly id: string;
  readonly json?: true | undefined;
}

/** The newest lines that were said in a session, six at most. */
export const preview: Command<PreviewOptions> = async (session, { id, json }) => {
  const { output, terminal } = session;
  const source = await session.source();
  const found = await source.preview(id);
  if (json) await output.line(jsonText(found));
  else await output.lines(previewScreenLines(found, terminal.widthCols).map((line) => terminal.paint(line)));
  await output.flush();
  return EXIT.ok;
};
