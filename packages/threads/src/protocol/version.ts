/** Version of the read contract: it changes with every change of a schema of `packages/threads/schema` (`versions.json` there says which hash belongs to which). */
export const PROTOCOL_VERSION = 4;
