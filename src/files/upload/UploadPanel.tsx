import CheckCircleRounded from '@mui/icons-material/CheckCircleRounded'
import CloseRounded from '@mui/icons-material/CloseRounded'
import ErrorOutlineRounded from '@mui/icons-material/ErrorOutlineRounded'
import ExpandLessRounded from '@mui/icons-material/ExpandLessRounded'
import ExpandMoreRounded from '@mui/icons-material/ExpandMoreRounded'
import ReplayRounded from '@mui/icons-material/ReplayRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import LinearProgress from '@mui/material/LinearProgress'
import Paper from '@mui/material/Paper'
import { useLocaleState } from 'react-admin'
import { memo, useEffect, useEffectEvent, useRef, useState } from 'react'

import { partsOf } from '#contract/kit/files.ts'
import { holdsFiles } from '#src/kit/browser/fileDrags.ts'
import { fileSize } from '#src/kit/browser/fileSize.ts'
import { dock } from '#src/kit/layout/docked.ts'
import { useDockedHeight } from '#src/kit/layout/useDockedHeight.ts'
import { Countdown, useSecondsUntil } from '#src/kit/time/Countdown.tsx'
import { useText } from '#src/kit/useText.ts'
import { FileIcon } from '#src/attachments/FileIcon.tsx'
import { useConfig } from '#src/config/useConfig.ts'

import { ConflictDialog } from '../conflicts/ConflictDialog.tsx'
import { InterruptedUploads } from './InterruptedUploads.tsx'
import { isOpen, overallShare, type Upload } from './uploadValues.ts'
import { useOnline } from './useOnline.ts'
import { loadProtocol, useUploadList, useUploads } from './useUploads.ts'

const small = { fontSize: '0.8125rem', color: 'text.secondary' } as const

/** State of an upload: waiting, running, done, or failed with the reason. */
function Outcome({ upload }: { upload: Upload }) {
  const text = useText()
  const [locale] = useLocaleState()
  const { file, outcome, share, message, fileVersion } = upload
  if (outcome === false)
    return (
      <Box role="alert" sx={{ ...small, color: 'error.main', overflowWrap: 'anywhere' }}>
        {message ? text('fileUploads.failedBecause', { message }) : text('fileUploads.failed')}
      </Box>
    )
  if (outcome === undefined)
    return (
      <Box sx={small}>
        {text(upload.conflict ? 'fileUploads.asked' : 'fileUploads.waiting')} {fileSize(locale, file.size)}
      </Box>
    )
  if (outcome)
    return (
      <Box sx={small}>
        {fileVersion > 1
          ? text('fileUploads.newVersion', { version: fileVersion })
          : text('fileUploads.done')}
      </Box>
    )
  return (
    <LinearProgress
      variant="determinate"
      value={Math.round(share * 100)}
      aria-label={text('fileUploads.progress', { name: file.name })}
      sx={{ my: 0.75, borderRadius: 1 }}
    />
  )
}

interface RowProps {
  upload: Upload
  onRetry: (key: number) => void
  onRemove: (key: number) => void
}

const Row = memo(function UploadRow({ upload, onRetry, onRemove }: RowProps) {
  const text = useText()
  const { key, file, path, outcome, canRetry } = upload
  const { name } = file
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        gridTemplateColumns: '20px minmax(0, 1fr) auto',
        alignItems: 'center',
        columnGap: 1,
        minHeight: 48,
        px: 2,
        py: 0.5,
        contentVisibility: 'auto',
      }}
    >
      <FileIcon extension={partsOf(name).extension} sx={{ color: 'text.secondary' }} />
      <div>
        <Box title={[...path, name].join('/')} sx={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
          <Box component="bdi" sx={{ whiteSpace: 'nowrap' }}>
            {[...path, name].join(' / ')}
          </Box>
        </Box>
        <Outcome upload={upload} />
      </div>
      <Box sx={{ display: 'flex', alignItems: 'center' }}>
        {outcome === false && canRetry && (
          <IconButton
            size="small"
            aria-label={text('fileUploads.retryOne', { name })}
            title={text('fileUploads.retryOne', { name })}
            onClick={() => onRetry(key)}
          >
            <ReplayRounded />
          </IconButton>
        )}
        {outcome === true ? (
          <CheckCircleRounded color="success" sx={{ m: 0.5 }} />
        ) : (
          <IconButton
            size="small"
            aria-label={text(outcome === false ? 'fileUploads.remove' : 'fileUploads.cancel', { name })}
            onClick={() => onRemove(key)}
          >
            <CloseRounded />
          </IconButton>
        )}
      </Box>
    </Box>
  )
})

/** The reason why uploads pause. */
function Pause({ until }: { until: number }) {
  const text = useText()
  const isOnline = useOnline()
  const seconds = useSecondsUntil(until)
  if (isOnline && seconds === 0) return null
  return (
    <Box role="alert" sx={{ px: 2, pb: 1, fontSize: '0.8125rem', color: 'warning.main' }}>
      {isOnline ? <Countdown until={until} text={text('fileUploads.wait')} /> : text('fileUploads.offline')}
    </Box>
  )
}

const panelSx = {
  position: 'fixed',
  right: { xs: 8, md: 16 },
  left: { xs: 8, sm: 'auto' },
  // Stays above the bar of a phone.
  bottom: { xs: 'calc(64px + env(safe-area-inset-bottom))', sm: 16 },
  zIndex: 'appBar',
  width: { sm: 400 },
  boxShadow: 8,
} as const

function useSummary(list: readonly Upload[], interrupted: number): string {
  const text = useText()
  if (list.length === 0) return text('fileUploads.interrupted', { smart_count: interrupted })
  const open = list.filter(isOpen).length
  if (open > 0) return text('fileUploads.uploading', { smart_count: open })
  const failed = list.filter(({ outcome }) => outcome === false).length
  if (failed > 0) return text('fileUploads.someFailed', { smart_count: failed })
  return text('fileUploads.uploaded', { smart_count: list.length })
}

interface HeadProps {
  list: readonly Upload[]
  interrupted: number
  isFolded: boolean
  onFold: () => void
  onClose: () => void
}

function PanelHead({ list, interrupted, isFolded, onFold, onClose }: HeadProps) {
  const text = useText()
  const summary = useSummary(list, interrupted)
  const isEmpty = list.length === 0 && interrupted === 0
  const FoldIcon = isFolded ? ExpandLessRounded : ExpandMoreRounded
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.5, pl: 2, pr: 1, minHeight: 48 }}>
      <Box aria-live="polite" sx={{ flex: 1, minWidth: 0, fontWeight: 600 }}>
        {!isEmpty && summary}
      </Box>
      {!isEmpty && (
        <IconButton
          size="small"
          aria-expanded={!isFolded}
          aria-label={text(isFolded ? 'fileUploads.unfold' : 'fileUploads.fold')}
          onClick={onFold}
        >
          <FoldIcon />
        </IconButton>
      )}
      {!list.some(isOpen) && (
        <IconButton size="small" aria-label={text('fileUploads.close')} onClick={onClose}>
          <CloseRounded />
        </IconButton>
      )}
    </Box>
  )
}

interface ActionsProps {
  isBusy: boolean
  canRetry: boolean
  onCancel: () => void
  onRetry: () => void
}

function PanelActions({ isBusy, canRetry, onCancel, onRetry }: ActionsProps) {
  const text = useText()
  return (
    <Box sx={{ display: 'flex', justifyContent: 'flex-end', gap: 1, px: 2, pb: 1.5, pt: 0.5 }}>
      {isBusy && (
        <Button size="small" color="inherit" onClick={onCancel}>
          {text('fileUploads.cancelAll')}
        </Button>
      )}
      {canRetry && (
        <Button size="small" variant="contained" onClick={onRetry}>
          {text('fileUploads.retry')}
        </Button>
      )}
    </Box>
  )
}

const problemSx = { display: 'flex', gap: 0.5, px: 2, color: 'error.main', fontSize: '0.8125rem' } as const

/** Asks about the first file whose name is taken. */
function UploadQuestion() {
  const { list, decide } = useUploadList()
  const asked = list.filter(({ conflict }) => conflict !== undefined)
  const [first] = asked
  if (!first?.conflict) return null
  const { key, conflict, file } = first
  return (
    <ConflictDialog
      key={key}
      conflict={conflict}
      size={file.size}
      count={asked.length}
      isUpload
      onDecide={decide}
    />
  )
}

/** The uploads of this tab, docked at the lower right of every page. */
function DockedUploads() {
  const text = useText()
  const { list, problem, interrupted, until, retry, retryAll, remove, clear, cancelAll } = useUploadList()
  const [isFolded, setFolded] = useState(false)
  const panel = useDockedHeight()
  if (list.length === 0 && interrupted.length === 0 && problem === undefined) return null
  const isBusy = list.some(isOpen)
  const canRetry = list.some((one) => one.outcome === false && one.canRetry)
  return (
    <Paper
      ref={panel}
      component="section"
      variant="outlined"
      aria-label={text('fileUploads.title')}
      sx={panelSx}
    >
      <PanelHead
        list={list}
        interrupted={interrupted.length}
        isFolded={isFolded}
        onFold={() => setFolded(!isFolded)}
        onClose={clear}
      />
      {isBusy && (
        <LinearProgress
          variant="determinate"
          value={Math.round(overallShare(list) * 100)}
          aria-label={text('fileUploads.overall')}
          sx={{ mx: 2, mb: 1, borderRadius: 1 }}
        />
      )}
      {isBusy && <Pause until={until} />}
      <Box role="alert" sx={{ ...problemSx, pb: problem ? 1.5 : 0 }}>
        {problem && <ErrorOutlineRounded sx={{ fontSize: 18 }} />}
        {problem}
      </Box>
      {!isFolded && list.length > 0 && (
        <Box
          component="ul"
          // Makes the scroll area reachable by keyboard.
          tabIndex={0}
          aria-label={text('fileUploads.list')}
          sx={{ m: 0, p: 0, pb: 0.5, listStyle: 'none', maxHeight: 'min(320px, 40vh)', overflow: 'auto' }}
        >
          {list.map((upload) => (
            <Row key={upload.key} upload={upload} onRetry={retry} onRemove={remove} />
          ))}
        </Box>
      )}
      {!isFolded && interrupted.length > 0 && <InterruptedUploads list={interrupted} />}
      <UploadQuestion />
      {(isBusy || canRetry) && (
        <PanelActions isBusy={isBusy} canRetry={canRetry} onCancel={cancelAll} onRetry={retryAll} />
      )}
    </Paper>
  )
}

/** True while files are dragged over the page; calls `onDrop` with drops that no other target has taken. */
function useDropOnPage(onDrop: (event: DragEvent) => void): boolean {
  const [isOver, setOver] = useState(false)
  const drop = useEffectEvent(onDrop)
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!holdsFiles(event)) return
      // A folder's row takes the files.
      if (event.defaultPrevented) return setOver(false)
      event.preventDefault()
      setOver(true)
    }
    const leave = (event: DragEvent) => {
      // `relatedTarget` is null when the pointer leaves the window.
      if (event.relatedTarget === null) setOver(false)
    }
    const take = (event: DragEvent) => {
      setOver(false)
      if (!holdsFiles(event) || event.defaultPrevented) return
      event.preventDefault()
      drop(event)
    }
    window.addEventListener('dragover', over)
    window.addEventListener('dragleave', leave)
    window.addEventListener('drop', take)
    return () => {
      window.removeEventListener('dragover', over)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('drop', take)
    }
  }, [])
  return isOver
}

interface Props {
  /** The open folder, target of drops on the page. */
  folderId: number
  /** Called when the last upload ends. */
  onDone?: () => void
}

/** Accepts drops on the page, and docks the panel of uploads, which stays on other pages. */
export function UploadPanel({ folderId, onDone }: Props) {
  const text = useText()
  const { addDropped } = useUploads()
  // Loads the limits before the device may go offline.
  useConfig()
  const { list, findInterrupted } = useUploadList()
  const isBusy = list.some(isOpen)
  const wasBusy = useRef(false)
  const done = useEffectEvent(() => onDone?.())
  useEffect(() => {
    dock(<DockedUploads />)
    void loadProtocol().catch(() => {})
  }, [])
  useEffect(findInterrupted, [findInterrupted])
  useEffect(() => {
    if (wasBusy.current && !isBusy) done()
    wasBusy.current = isBusy
  }, [isBusy])
  const isOver = useDropOnPage((event) => event.dataTransfer && addDropped(event.dataTransfer, folderId))
  if (!isOver) return null
  return (
    <Box
      role="status"
      sx={{
        position: 'fixed',
        inset: 16,
        zIndex: 'modal',
        display: 'grid',
        placeItems: 'center',
        pointerEvents: 'none',
        border: '2px dashed',
        borderColor: 'primary.main',
        borderRadius: 1,
      }}
    >
      <Paper variant="outlined" sx={{ px: 3, py: 2, fontWeight: 600, boxShadow: 8 }}>
        {text('fileUploads.drop')}
      </Paper>
    </Box>
  )
}
