import AttachFileRounded from '@mui/icons-material/AttachFileRounded'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { useNotify } from 'react-admin'
import { useEffect, useId, useState } from 'react'

import { type Attachment, listFailed, type Parent } from '#contract/attachments/schema.ts'
import { useSecondsUntil } from '#src/kit/time/Countdown.tsx'
import { useText } from '#src/kit/useText.ts'

import { AttachmentRows } from './AttachmentRows.tsx'
import { FilePicker } from './FilePicker.tsx'
import { UploadRows, UploadWait } from './UploadRows.tsx'
import { useAttachments, wordsOf } from './useAttachments.ts'
import { type Uploads, useUploads } from './useUploads.ts'

interface Props {
  parent: Parent
  canAdd: boolean
  canRemove: (file: Attachment) => boolean
  /** Number of files to expect until the list has loaded. */
  expected?: number
}

/** The files of a parent record, or the reason why they cannot be shown. */
export function AttachmentList({ parent, canAdd, canRemove, expected = 0 }: Props) {
  const text = useText()
  const { data, error, refetch } = useAttachments(parent)
  if (error && !data)
    return (
      <Alert
        severity="error"
        action={
          <Button color="inherit" size="small" onClick={() => void refetch()}>
            {text('kit.retry')}
          </Button>
        }
      >
        {listFailed(wordsOf(error))}
      </Alert>
    )
  if (!data)
    return (
      <Box component="output" aria-label={text('kit.loading')}>
        {Array.from({ length: Math.min(expected, 8) }, (_, n) => (
          <Skeleton key={n} height={50} />
        ))}
      </Box>
    )
  if (data.length === 0)
    return (
      <Box sx={{ color: 'text.secondary' }}>
        {text(canAdd ? 'attachments.empty' : 'attachments.emptyClosed')}
      </Box>
    )
  return <AttachmentRows parent={parent} files={data} canRemove={canRemove} />
}

function Actions({ uploads, onClose }: { uploads: Uploads; onClose: () => void }) {
  const text = useText()
  const { list, busy, until, send } = uploads
  const waiting = useSecondsUntil(until) > 0
  const failed = list.some(({ outcome }) => outcome === false)
  return (
    <DialogActions>
      <Button color="inherit" onClick={onClose}>
        {text('kit.close')}
      </Button>
      <Button variant="contained" disabled={waiting || busy} onClick={send}>
        {text(busy ? 'attachments.uploading' : failed ? 'attachments.retry' : 'attachments.upload')}
      </Button>
    </DialogActions>
  )
}

/** The button 'Attachments' and its dialog with the files and running uploads (operations §2, §4). */
export function AttachmentsButton(props: Props) {
  const { parent, canAdd } = props
  const text = useText()
  const notify = useNotify()
  const titleId = useId()
  const [open, setOpen] = useState(false)
  // Held by the button and not by the dialog, so that uploads continue while the dialog is closed.
  const uploads = useUploads(parent, {
    onSent: (arrived) => {
      if (arrived > 0) notify(text('attachments.added', { smart_count: arrived }), { type: 'success' })
    },
  })
  const { busy, clear } = uploads
  useEffect(() => {
    if (!canAdd) clear()
  }, [canAdd, clear])
  const close = () => setOpen(false)
  return (
    <>
      <Button
        variant="outlined"
        color="inherit"
        size="small"
        startIcon={<AttachFileRounded />}
        onClick={() => setOpen(true)}
        sx={{ borderColor: 'background.edge' }}
      >
        {text('attachments.button')}
      </Button>
      <Dialog open={open} onClose={close} aria-labelledby={titleId}>
        <DialogTitle id={titleId}>{text('attachments.title')}</DialogTitle>
        <DialogContent sx={{ display: 'grid', gap: 2 }}>
          {canAdd && (
            <>
              <FilePicker onChoose={uploads.choose} disabled={busy} problem={uploads.problem} />
              <UploadRows uploads={uploads} />
              <UploadWait until={uploads.until} />
            </>
          )}
          <div>
            <Typography variant="h3" sx={{ mb: 0.5 }}>
              {text('attachments.list')}
            </Typography>
            <AttachmentList {...props} />
          </div>
        </DialogContent>
        {canAdd ? (
          <Actions uploads={uploads} onClose={close} />
        ) : (
          <DialogActions>
            <Button color="inherit" onClick={close}>
              {text('kit.close')}
            </Button>
          </DialogActions>
        )}
      </Dialog>
    </>
  )
}
