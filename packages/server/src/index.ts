export { type ServerErrorCode, type ServerErrorDetail, ServerError } from './errors.js';
export { loadToken } from './guard/token-file.js';
export { type ListenAddress, type TcpAddress, type UnixAddress, isLoopback, parseListenUrl } from './listen/listen-url.js';
export type { Listener } from './listen/listener.js';
export type { ListenerLimits } from './limits.js';
export type { ServerIdentity } from './rpc/identity.js';
export { type RunningServer, type ServerOptions, startServer } from './start-server.js';
export { type StdioOptions, serveStdio } from './stdio/serve-stdio.js';
export { type Live, type LiveOptions, createLive } from './live/hub/create-live.js';
