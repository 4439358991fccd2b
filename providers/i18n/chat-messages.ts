/** Texts of messages, of the composer and of files in messages (operations §2, §4, §5). */
export const chatMessages = {}
