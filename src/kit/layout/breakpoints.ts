/** Below this width, a side list and its content are shown one after the other. */
export const NARROW = '(max-width: 899.95px)'
