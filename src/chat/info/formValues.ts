/** The form of a room's name and description, among the drafts of a page. */
export const EDIT_ROOM = 'edit room'
