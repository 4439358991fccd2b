import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'

import { ROOT } from '#contract/files/schema.ts'
import { useText } from '#src/kit/useText.ts'

import type { Listed, Selection } from '../selectionValues.ts'
import { useUploadList } from '../upload/useUploads.ts'

interface Props {
  /** Rows of the root. */
  rows: Selection
  onEditAccess: (folder: Listed) => void
}

/** Shows the access of folders uploaded into the root, since uploading does not ask for it. */
export function OpenToAll({ rows, onEditAccess }: Props) {
  const text = useText()
  const { list } = useUploadList()
  const uploaded = new Set(list.flatMap(({ folderId, path }) => (folderId === ROOT ? path.slice(0, 1) : [])))
  const open = rows.filter(
    ({ isFolder, folderType, isEditable, parentFolderId, name }) =>
      isFolder && folderType === 'PUBLIC' && isEditable && parentFolderId === ROOT && uploaded.has(name),
  )
  return (
    // Takes no gap while empty.
    <Box role="status" sx={{ '&:empty': { mt: -1.5 } }}>
      {open.map((folder) => (
        <Alert
          key={folder.id}
          severity="info"
          action={
            <Button color="inherit" size="small" onClick={() => onEditAccess(folder)}>
              {text('files.editAccess')}
            </Button>
          }
          sx={{ overflowWrap: 'anywhere', '& + &': { mt: 1 } }}
        >
          {text('files.openToAll', { name: folder.name })}
        </Alert>
      ))}
    </Box>
  )
}
