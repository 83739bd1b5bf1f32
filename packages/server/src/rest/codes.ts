/** The numbers in the envelope of REST answers: those of Kimi Code's server, and in the same manner (HTTP status, then two digits) what it has none for. */
export const CODES = {
  success: 0, validation: 40001, malformed: 40002, strangeType: 41501, tooLarge: 41301, ordinalGap: 40931, tokenUnauthorized: 40112, routeNotFound: 40400, sessionNotFound: 40401, fileNotFound: 40407, workspaceNotFound: 40410, toolCallNotFound: 40416, pageTokenMismatch: 40922,
  internal: 50001, busy: 50301,
} as const;
