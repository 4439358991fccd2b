/** Key of the room form among the drafts of a page. */
export const EDIT_ROOM = 'edit room'
