import UploadRounded from '@mui/icons-material/UploadRounded'
import Button from '@mui/material/Button'
import ListItemText from '@mui/material/ListItemText'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { useState } from 'react'

import { ROOT } from '#contract/files/schema.ts'
import { useFileField } from '#src/kit/form/DropArea.tsx'
import { useText } from '#src/kit/useText.ts'

import { useUploads } from '../upload/useUploads.ts'

/** Opens the file or folder chooser, and uploads into the open folder. */
export function UploadButton({ folderId }: { folderId: number }) {
  const text = useText()
  const { addFiles } = useUploads()
  const add = (chosen: File[]) => addFiles(chosen, folderId)
  const files = useFileField(add, { multiple: true, label: text('files.uploadFiles') })
  const folder = useFileField(add, { multiple: true, isFolder: true, label: text('files.uploadFolder') })
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const choose = (ask: () => void) => () => {
    setAnchor(null)
    ask()
  }
  return (
    <>
      <Button
        variant="contained"
        startIcon={<UploadRounded />}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {text('files.upload')}
      </Button>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={() => setAnchor(null)}>
        <MenuItem onClick={choose(files.ask)}>{text('files.uploadFiles')}</MenuItem>
        <MenuItem onClick={choose(folder.ask)} sx={{ whiteSpace: 'normal' }}>
          <ListItemText
            primary={text('files.uploadFolder')}
            // Uploading into the root does not ask for the folder's access.
            secondary={folderId === ROOT && text('files.folderToAll')}
          />
        </MenuItem>
      </Menu>
      {files.input}
      {folder.input}
    </>
  )
}
