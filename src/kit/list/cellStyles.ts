/** Styles of what cells hold, for the table or list around them. */
export const CELL_STYLES = {
  '& .cell-text': { overflow: 'hidden', textOverflow: 'ellipsis', unicodeBidi: 'isolate' },
  '& .cell-nothing': { color: 'text.secondary' },
} as const
