/** Styles of a list of chosen people below their field. */
export const peopleList = {
  m: 0,
  mt: 1,
  p: 0,
  maxHeight: 360,
  overflowY: 'auto',
  border: 1,
  borderColor: 'divider',
  borderRadius: '6px',
  listStyle: 'none',
  '& > li': { pr: 0.5, py: 0.75 },
  '& > li + li': { borderTop: 1, borderColor: 'divider' },
} as const
