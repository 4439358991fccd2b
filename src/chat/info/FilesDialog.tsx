import DownloadRounded from '@mui/icons-material/DownloadRounded'
import VisibilityRounded from '@mui/icons-material/VisibilityRounded'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Link from '@mui/material/Link'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'

import type { Room } from '#contract/chat/schema.ts'
import type { RoomFile } from '#providers/chat/provider.ts'
import { useChatPeople } from '#providers/chat/useChat.ts'
import { EmptyState } from '#src/kit/feedback/EmptyState.tsx'
import { Time } from '#src/kit/time/Time.tsx'
import { visuallyHidden } from '#src/kit/layout/visuallyHidden.ts'
import { useText } from '#src/kit/useText.ts'

import { FileThumb } from './FileThumb.tsx'
import { ListDialog } from './ListDialog.tsx'
import { useDownload, useFiles } from './queries.ts'
import { titleOf } from '../titleValues.ts'
import { useFilePreview } from './useFilePreview.ts'
import { useListPart } from './useListPart.ts'

interface RowProps {
  file: RoomFile
  onJump: () => void
  onDownload: () => void
  /** Opens the file; undefined if its format cannot be previewed. */
  onOpen: (() => void) | undefined
}

function Row({ file, onJump, onDownload, onOpen }: RowProps) {
  const text = useText()
  const { nameOf } = useChatPeople()
  const name = file.title
  return (
    <TableRow hover onClick={onJump} sx={{ cursor: 'pointer' }}>
      <TableCell sx={{ width: 64 }}>
        <FileThumb file={file} size={40} />
      </TableCell>
      <TableCell sx={{ overflowWrap: 'anywhere' }}>
        <Link
          component="button"
          type="button"
          dir="auto"
          title={text('chatRooms.goToFile', { name })}
          onClick={(event) => {
            event.stopPropagation()
            onJump()
          }}
          sx={{ fontWeight: 600, textAlign: 'start', overflowWrap: 'anywhere' }}
        >
          {name}
        </Link>
        <Box sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>
          <bdi>{nameOf(file.user)}</bdi>
          <Box component="span" sx={{ display: { sm: 'none' } }}>
            {' · '}
            <Time at={file.updatedAt} short />
          </Box>
        </Box>
      </TableCell>
      <TableCell sx={{ display: { xs: 'none', sm: 'table-cell' }, whiteSpace: 'nowrap' }}>
        <Time at={file.updatedAt} />
      </TableCell>
      <TableCell align="right" sx={{ whiteSpace: 'nowrap' }}>
        {onOpen && (
          <IconButton
            aria-haspopup="dialog"
            aria-label={text('chatRooms.previewFile', { name })}
            title={text('chatRooms.previewFile', { name })}
            onClick={(event) => {
              event.stopPropagation()
              onOpen()
            }}
          >
            <VisibilityRounded />
          </IconButton>
        )}
        <IconButton
          aria-label={text('chatRooms.downloadFile', { name })}
          title={text('chatRooms.download')}
          onClick={(event) => {
            event.stopPropagation()
            onDownload()
          }}
        >
          <DownloadRounded />
        </IconButton>
      </TableCell>
    </TableRow>
  )
}

interface Props {
  room: Room
  onClose: () => void
  onJump: (sequence: number, messageId: string) => void
}

/** All files of a room (operations §2 "Files modal"). */
export function FilesDialog({ room, onClose, onJump }: Props) {
  const text = useText()
  const list = useListPart()
  const query = useFiles(room.id, list.part)
  const { download, failed } = useDownload()
  const label = text('chatRooms.filesOf', { name: titleOf(room) })
  const files = query.data?.items
  const preview = useFilePreview(files ?? [], download)
  const isFiltered = list.part.q !== ''
  return (
    <ListDialog
      title={label}
      filter={text('chatRooms.filterFiles')}
      list={list}
      query={query}
      total={query.data?.total ?? 0}
      actions={<Button onClick={onClose}>{text('kit.close')}</Button>}
      notice={
        failed && (
          <Alert severity="error">{text('chatRooms.downloadFailed', { message: failed.message })}</Alert>
        )
      }
      onClose={onClose}
    >
      {files?.length === 0 && (
        <EmptyState text={text(isFiltered ? 'chatRooms.nothingFound' : 'chatRooms.noFiles')} />
      )}
      {files && files.length > 0 && (
        <Table size="small" stickyHeader aria-label={label}>
          <TableHead>
            <TableRow>
              <TableCell>
                <Box component="span" sx={visuallyHidden}>
                  {text('chatRooms.thumbnail')}
                </Box>
              </TableCell>
              <TableCell>{text('chatRooms.fileName')}</TableCell>
              <TableCell sx={{ display: { xs: 'none', sm: 'table-cell' } }}>
                {text('chatRooms.sentAt')}
              </TableCell>
              <TableCell align="right">{text('chatRooms.download')}</TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {files.map((file) => (
              <Row
                key={file.id}
                file={file}
                onJump={() => onJump(file.messageSequence, file.messageId)}
                onDownload={() => void download(file.id)}
                onOpen={preview.openerOf(file)}
              />
            ))}
          </TableBody>
        </Table>
      )}
      {preview.element}
    </ListDialog>
  )
}
