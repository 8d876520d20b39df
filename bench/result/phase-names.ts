/**
 * How the phases of a round are called in results and tables.
 */
export const phaseNames = {
  warmUp: "warm-up",
  chats: "chats",
  records: "records",
  chatsBefore: "chats before GETs",
  chatsWithGets: "chats with GETs",
  chatsAfter: "chats after GETs",
} as const;
