// @ts-check
// The few lint rules of this house that oxlint does not bring, loaded by .oxlintrc.json.

const clock = 'Time, scheduling and I/O are passed in by the caller.';

/** @typedef {{ type: string, name?: string, computed?: boolean, exported?: unknown, callee?: Node, object?: Node, property?: Node, arguments?: unknown[] }} Node */
/** @typedef {{ report: (problem: { node: Node, message: string }) => void }} Context */

/** @param {Node | undefined} node */
const isDate = (node) => node?.type === 'Identifier' && node.name === 'Date';

const noExportStar = {
  /** @param {Context} context */
  create: (context) => ({
    /** @param {Node} node */
    ExportAllDeclaration: (node) => context.report({ node, message: 'Name what is exported: no `export *`.' }),
  }),
};

/** `Date.now`, `Date()` and `new Date()` read a clock; `new Date(value)` and `Date.parse` do not. */
const noClock = {
  /** @param {Context} context */
  create: (context) => ({
    /** @param {Node} node */
    NewExpression: (node) => {
      if (isDate(node.callee) && node.arguments?.length === 0) context.report({ node, message: clock });
    },
    /** @param {Node} node */
    CallExpression: (node) => {
      if (isDate(node.callee)) context.report({ node, message: clock });
    },
    /** @param {Node} node */
    MemberExpression: (node) => {
      if (isDate(node.object) && !node.computed && node.property?.name === 'now') context.report({ node, message: clock });
    },
  }),
};

export default { meta: { name: 'house' }, rules: { 'no-export-star': noExportStar, 'no-clock': noClock } };
