/** Screens that show a side list and its content one after the other. */
export const NARROW = '(max-width: 899.95px)'
/** Screens with cards in place of tables, which they never load, and with sheets in place of small dialogs. */
export const PHONE = '(max-width: 599.95px)'
