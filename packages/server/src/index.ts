export { type StdioOptions, serveStdio } from './stdio/serve-stdio.js';
export type { ServerIdentity } from './rpc/identity.js';
