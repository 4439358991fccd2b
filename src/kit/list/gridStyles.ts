import { CELL_STYLES } from './cellStyles.ts'

const BARE = {
  font: 'inherit',
  color: 'inherit',
  background: 'none',
  border: 0,
  padding: 0,
  cursor: 'pointer',
}

/** Styles of the data grid. */
export const GRID_STYLES = {
  border: 0,
  borderRadius: 0,
  height: 'auto',
  // As high as its rows, and never so high that its header and the bar below leave the window.
  maxHeight: 'max(320px, calc(100dvh - var(--beside-grid, 233px)))',
  '&&': {
    '--DataGrid-t-header-background-base': 'var(--m-palette-background-paper)',
    '--DataGrid-t-color-background-base': 'var(--m-palette-background-paper)',
    '--DataGrid-t-color-border-base': 'var(--m-palette-divider)',
  },
  '& .MuiDataGrid-columnHeaderTitle': { fontWeight: 600 },
  '& .MuiDataGrid-columnHeader, & .MuiDataGrid-columnHeaderTitle': { color: 'text.secondary' },
  '& .MuiDataGrid-row': { cursor: 'default' },
  '& .MuiDataGrid-cell': { display: 'flex', alignItems: 'center' },
  '& .MuiDataGrid-cell--textRight': { justifyContent: 'flex-end' },
  '& .MuiDataGrid-columnSeparator': { color: 'divider' },
  '& .first': { fontWeight: 600 },
  '& .row-link': {
    ...BARE,
    display: 'flex',
    minWidth: 0,
    textDecoration: 'none',
    '&:hover': { textDecoration: 'underline' },
  },
  '& .row-menu': {
    ...BARE,
    display: 'grid',
    placeItems: 'center',
    width: 32,
    height: 32,
    borderRadius: '6px',
    color: 'text.secondary',
    '&:hover': { bgcolor: 'action.hover' },
  },
  '& .row-checkbox': {
    display: 'grid',
    placeItems: 'center',
    width: 40,
    height: '100%',
    minHeight: 32,
    cursor: 'pointer',
    '& input': {
      width: 17,
      height: 17,
      m: 0,
      accentColor: 'var(--m-palette-primary-main)',
      cursor: 'pointer',
    },
  },
  ...CELL_STYLES,
  '& .faded:not(.Mui-selected)': { color: 'text.secondary' },
  '& .MuiDataGrid-cell:focus, & .MuiDataGrid-columnHeader:focus': { outline: 'none' },
  '& .MuiDataGrid-cell:focus-visible, & .MuiDataGrid-columnHeader:focus-visible': {
    outline: '2px solid',
    outlineColor: 'primary.main',
    outlineOffset: '-2px',
  },
} as const
