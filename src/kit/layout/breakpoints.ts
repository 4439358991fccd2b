/** Below this width, a side list and its content are shown one after the other. */
export const NARROW = '(max-width: 899.95px)'
/** Narrower screens show cards in place of tables, which they never load, and sheets in place of small dialogs. */
export const PHONE = '(max-width: 599.95px)'
