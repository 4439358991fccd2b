/** Texts of the chat's page: lists, room and messages (operations §2, §8). */
export const chat = {
  title: 'Chat',
}
