import CreateNewFolderRounded from '@mui/icons-material/CreateNewFolderRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import type { ReactNode } from 'react'

import { SearchBox } from '#src/kit/list/SearchBox.tsx'
import { useText } from '#src/kit/useText.ts'

import type { ItemView } from '../selectionValues.ts'

/** Debounce of the search (operations §5 "Storage"). */
const SEARCH_DELAY_MS = 150

interface Props {
  view: ItemView
  onChange: (change: Partial<Pick<ItemView, 'search' | 'isCreatedByMe'>>) => void
  onNewFolder: () => void
  /** Further buttons at the end. */
  children?: ReactNode
}

/** Toolbar above the files: global search, owner filter, and the buttons that add items. */
export function FilesToolbar({ view, onChange, onNewFolder, children }: Props) {
  const text = useText()
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'flex-end', gap: 1 }}>
      <Box sx={{ flex: { xs: '1 1 100%', sm: '0 1 320px' } }}>
        <SearchBox
          label={text('files.search')}
          value={view.search}
          delay={SEARCH_DELAY_MS}
          onSearch={(search) => onChange({ search })}
        />
      </Box>
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
        {children}
        <Button variant="outlined" startIcon={<CreateNewFolderRounded />} onClick={onNewFolder}>
          {text('files.newFolder')}
        </Button>
      </Box>
    </Box>
  )
}
