import DownloadRounded from '@mui/icons-material/DownloadRounded'
import VisibilityRounded from '@mui/icons-material/VisibilityRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import ButtonBase from '@mui/material/ButtonBase'
import IconButton from '@mui/material/IconButton'

import type { Room } from '#contract/chat/schema.ts'
import type { RoomFile } from '#providers/chat/provider.ts'
import { RefreshButton } from '#src/kit/list/RefreshButton.tsx'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

import { FileThumb } from './FileThumb.tsx'
import { LoadProblem } from './LoadProblem.tsx'
import { ROW_BUTTON } from './PinnedSection.tsx'
import { useDownload, useFiles } from './queries.ts'
import { Section } from './Section.tsx'
import { useFilePreview } from './useFilePreview.ts'

/** Files shown in the panel (decisions §3). */
const SHOWN_MAX = 5
const NEWEST = { size: SHOWN_MAX } as const

interface FileProps {
  file: RoomFile
  problem: string | undefined
  onJump: () => void
  onDownload: () => void
  /** Opens the file; undefined if its format cannot be previewed. */
  onOpen: (() => void) | undefined
}

function RecentFile({ file, problem, onJump, onDownload, onOpen }: FileProps) {
  const text = useText()
  const name = file.title
  return (
    <li>
      <Box sx={{ display: 'flex', alignItems: 'center' }}>
        <ButtonBase
          sx={{ ...ROW_BUTTON, flex: 1, minWidth: 0, display: 'flex', gap: 1 }}
          title={text('chatRooms.goToFile', { name })}
          onClick={onJump}
        >
          <FileThumb file={file} />
          <Box component="span" sx={{ flex: 1, minWidth: 0 }}>
            <Box
              component="span"
              dir="auto"
              sx={{ display: 'block', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}
            >
              {name}
            </Box>
            <Box component="span" sx={{ display: 'block', fontSize: '0.75rem', color: 'text.secondary' }}>
              <Time at={file.updatedAt} short />
            </Box>
          </Box>
        </ButtonBase>
        {onOpen && (
          <IconButton
            aria-haspopup="dialog"
            aria-label={text('chatRooms.previewFile', { name })}
            title={text('chatRooms.previewFile', { name })}
            onClick={onOpen}
            sx={{ color: 'text.secondary' }}
          >
            <VisibilityRounded />
          </IconButton>
        )}
        <IconButton
          aria-label={text('chatRooms.downloadFile', { name })}
          title={text('chatRooms.download')}
          onClick={onDownload}
          sx={{ color: 'text.secondary' }}
        >
          <DownloadRounded />
        </IconButton>
      </Box>
      {problem && (
        <Box role="alert" sx={{ px: 1, fontSize: '0.75rem', color: 'error.main' }}>
          {text('chatRooms.downloadFailed', { message: problem })}
        </Box>
      )}
    </li>
  )
}

interface Props {
  room: Room
  onJump: (sequence: number, messageId: string) => void
  onViewAll: () => void
}

/** The newest files of a room, and a link to all of them. */
export function FilesSection({ room, onJump, onViewAll }: Props) {
  const text = useText()
  const { data, error, refetch } = useFiles(room.id, NEWEST)
  const { download, failed } = useDownload()
  const preview = useFilePreview(data?.items ?? [], download)
  return (
    <Section
      name="files"
      title={text('chatRooms.files')}
      count={data?.total}
      action={<RefreshButton resource={`chat.files.${room.id}`} onRefresh={() => void refetch()} />}
    >
      {!data && error && (
        <LoadProblem message={text('chatRooms.filesNotLoaded')} onRetry={() => void refetch()} />
      )}
      {data?.total === 0 && <Box sx={{ color: 'text.secondary' }}>{text('chatRooms.noFiles')}</Box>}
      {data && data.total > 0 && (
        <Box
          component="ul"
          aria-label={text('chatRooms.files')}
          sx={{ mx: -1, my: 0, p: 0, listStyle: 'none' }}
        >
          {data.items.map((file) => (
            <RecentFile
              key={file.id}
              file={file}
              problem={failed?.id === file.id ? failed.message : undefined}
              onJump={() => onJump(file.messageSequence, file.messageId)}
              onDownload={() => void download(file.id)}
              onOpen={preview.openerOf(file)}
            />
          ))}
        </Box>
      )}
      {(data?.total ?? 0) > SHOWN_MAX && (
        <Button size="small" onClick={onViewAll} sx={{ mt: 0.5, mx: -0.5 }}>
          {text('chatRooms.viewFiles')}
        </Button>
      )}
      {preview.element}
    </Section>
  )
}
