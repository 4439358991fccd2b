/** Styles of a framed list with dividers. */
export const ROWS = {
  m: 0,
  p: 0,
  listStyle: 'none',
  border: 1,
  borderColor: 'divider',
  borderRadius: '6px',
  '& > li + li': { borderTop: 1, borderColor: 'divider' },
} as const
