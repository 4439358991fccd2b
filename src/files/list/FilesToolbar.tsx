import CreateNewFolderRounded from '@mui/icons-material/CreateNewFolderRounded'
import GridViewRounded from '@mui/icons-material/GridViewRounded'
import ViewListRounded from '@mui/icons-material/ViewListRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import type { ReactNode } from 'react'

import { SearchBox } from '#src/kit/list/SearchBox.tsx'
import { useText } from '#src/kit/useText.ts'

import type { FilesLayout, ItemView } from '../selectionValues.ts'

/** Debounce of the search (operations §5 "Storage"). */
const SEARCH_DELAY_MS = 150

interface Props {
  view: ItemView
  onChange: (change: Partial<Pick<ItemView, 'place' | 'search' | 'isCreatedByMe'>>) => void
  onNewFolder: () => void
  layout: FilesLayout
  onLayout: (layout: FilesLayout) => void
  /** Further buttons at the end. */
  children?: ReactNode
}

/** Toolbar above the files: global search, owner filter, and the buttons that add items. */
export function FilesToolbar({ view, onChange, onNewFolder, layout, onLayout, children }: Props) {
  const text = useText()
  const isFolder = view.place === 'folder'
  const isList = layout === 'list'
  const other = text(isList ? 'files.asTiles' : 'files.asList')
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'flex-end', gap: 1 }}>
      <Box sx={{ flex: { xs: '1 1 100%', sm: '0 1 320px' } }}>
        <SearchBox
          label={text('files.search')}
          value={view.search}
          delay={SEARCH_DELAY_MS}
          // The search is one of all files.
          onSearch={(search) => onChange({ place: 'folder', search })}
        />
      </Box>
      {isFolder && (
        <TextField
          select
          size="small"
          label={text('files.filter')}
          value={view.isCreatedByMe ? 'mine' : 'all'}
          onChange={({ target }) => onChange({ isCreatedByMe: target.value === 'mine' })}
          sx={{ width: { xs: '100%', sm: 160 } }}
        >
          <MenuItem value="all">{text('files.all')}</MenuItem>
          <MenuItem value="mine">{text('files.createdByMe')}</MenuItem>
        </TextField>
      )}
      <Box
        sx={{
          flex: 1,
          display: 'flex',
          flexWrap: 'wrap',
          justifyContent: 'flex-end',
          gap: 1,
          // On a phone the buttons fill a row of their own.
          '& > .MuiButton-root': { flex: { xs: '1 1 auto', sm: 'none' }, whiteSpace: 'nowrap' },
        }}
      >
        <IconButton
          aria-label={other}
          title={other}
          onClick={() => onLayout(isList ? 'tiles' : 'list')}
          sx={{ color: 'text.secondary' }}
        >
          {isList ? <GridViewRounded /> : <ViewListRounded />}
        </IconButton>
        {children}
        {isFolder && (
          <Button variant="outlined" startIcon={<CreateNewFolderRounded />} onClick={onNewFolder}>
            {text('files.newFolder')}
          </Button>
        )}
      </Box>
    </Box>
  )
}
