/** Narrower screens have no room for a list at the side: it and what it lists follow one another. */
export const NARROW = '(max-width: 899.95px)'
