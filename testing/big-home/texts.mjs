// @ts-check
/** @import { Chance } from './chance.mjs' */

const nouns = ['cursor', 'ledger', 'adapter', 'retry', 'buffer', 'migration', 'endpoint', 'fixture', 'session', 'parser', 'snapshot', 'queue', 'checksum', 'handler', 'index', 'token'];
const verbs = ['reads', 'drops', 'keeps', 'rewrites', 'merges', 'validates', 'splits', 'returns', 'blocks', 'skips'];
const others = ['在提交之前请先检查日志', '設定ファイルを確認してください', '마지막 페이지가 비어 있습니다', 'Größe und Umlaute bleiben erhalten', 'naïve façade, déjà vu', 'emoji 🧪🔧 in the middle'];
const paths = ['src/api/routes.ts', 'src/db/migrate.ts', 'lib/queue/worker.py', 'tests/test_worker.py', 'crates/core/src/lib.rs', 'docs/概要.md', 'web/components/Table.tsx'];

/** Pools of text, made once per home: drawing from them costs next to nothing, so that a large home is written about as fast as the disk takes it. */
export class Texts {
  #sentences;
  #output;
  #lineStarts;
  #sealed;

  /** @param {Chance} chance */
  constructor(chance) {
    this.chance = chance;
    this.#sentences = Array.from({ length: 500 }, () => this.#newSentence());
    const lines = Array.from({ length: 3_000 }, (_, i) => `${this.#newOutputLine(i)}\n`);
    this.#output = lines.join('');
    this.#sealed = chance.hex(64_000);
    let at = 0;
    this.#lineStarts = lines.map((line) => (at += line.length) - line.length);
  }

  #newSentence() {
    const { chance } = this;
    if (chance.is(0.08)) return `${chance.pick(others)}.`;
    const clause = () => `the ${chance.pick(nouns)} ${chance.pick(verbs)} the ${chance.pick(nouns)} of \`${chance.pick(paths)}\``;
    return `${chance.is(0.5) ? `When ${clause()}, ${clause()}` : `So ${clause()}`}.`;
  }

  /** What programs print: listings, test results, source with tabs and quotes, JSON, coloured lines. @param {number} i */
  #newOutputLine(i) {
    const { chance } = this;
    switch (chance.below(7)) {
      case 0: return `${chance.pick(paths)}:${i + 1}:\tif (${chance.pick(nouns)}.${chance.pick(verbs)}("${chance.pick(nouns)}\\n") === null) {`;
      case 1: return `\u001b[32mPASS\u001b[0m ${chance.pick(paths)} (${chance.below(900)} ms)`;
      case 2: return `{"level":"info","msg":"${chance.pick(nouns)} ${chance.pick(verbs)}","id":"${chance.hex(16)}","n":${chance.below(1e6)}}`;
      case 3: return `drwxr-xr-x  ${chance.below(9)} build build ${chance.below(1e7)} Nov ${10 + chance.below(19)} ${chance.pick(paths)}`;
      case 4: return `+    const ${chance.pick(nouns)}${i} = await ${chance.pick(verbs)}(${chance.pick(nouns)}); // ${chance.is(0.2) ? chance.pick(others) : chance.hex(8)}`;
      case 5: return '';
      default: return `warning: ${chance.pick(nouns)} ${chance.pick(verbs)} '${chance.pick(paths)}' [-W${chance.pick(nouns)}]`;
    }
  }

  sentence() {
    return this.chance.pick(this.#sentences);
  }

  /** @param {number} sentences */
  prose(sentences) {
    let text = this.sentence();
    for (let i = 1; i < sentences; i++) text += ` ${this.sentence()}`;
    return text;
  }

  /** An answer as models write them. */
  markdown() {
    const { chance } = this;
    const list = () => `\n\n- ${this.sentence()}\n- **${chance.pick(nouns)}**: ${this.sentence()}`;
    const code = () => `\n\n\`\`\`ts\nconst ${chance.pick(nouns)} = "${chance.hex(12)}";\n\`\`\``;
    return `${this.prose(1 + chance.below(4))}${chance.is(0.4) ? list() : ''}${chance.is(0.25) ? code() : ''}`;
  }

  /** Whole lines of output, about `size` UTF-16 units. @param {number} size */
  output(size) {
    const units = Math.floor(size);
    if (units <= 0) return '';
    const start = /** @type {number} */ (this.#lineStarts[this.chance.below(this.#lineStarts.length)]);
    let text = this.#output.slice(start, start + units);
    while (text.length < units) text += this.#output.slice(0, units - text.length);
    return `${text.slice(0, text.lastIndexOf('\n') + 1)}done\n`;
  }

  path() {
    return this.chance.pick(paths);
  }

  /** What looks like the sealed reasoning of a model. @param {number} units */
  secret(units) {
    const start = this.chance.below(this.#sealed.length - units);
    return `gAAAAA${this.#sealed.slice(start, start + units)}`;
  }

  /** A bit of base64 that stands for an image. @param {number} units */
  imageUrl(units) {
    return `data:image/png;base64,${this.chance.hex(1024).repeat(Math.ceil(units / 1024)).slice(0, units)}`;
  }
}
