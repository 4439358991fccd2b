/** Texts of new rooms, of a room's panel and its dialogs (operations §2, §5, §8). */
export const chatRooms = {}
