/** Indent in pixels of a heading below others. */
export const indentOf = (level: number): number => 16 * (level - 1)
/** Size of a heading's text. */
export const sizeOf = (level: number): string => ['1rem', '0.9375rem'][level - 1] ?? '0.875rem'
