import AttachFileRounded from '@mui/icons-material/AttachFileRounded'
import FolderOpenRounded from '@mui/icons-material/FolderOpenRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { type RefObject, useEffect, useRef, useState } from 'react'

import { attachmentsApi } from '#contract/attachments/api.ts'
import type { AttachmentName, Parent } from '#contract/attachments/schema.ts'
import { wholeName } from '#contract/kit/files.ts'
import { call } from '#providers/api.ts'
import { getSession } from '#providers/session.ts'
import { useSecondsUntil } from '#src/kit/time/Countdown.tsx'
import { useFileField } from '#src/kit/form/DropArea.tsx'
import { useText } from '#src/kit/useText.ts'

import { FileChips } from './FileChips.tsx'
import { FileIcon } from './FileIcon.tsx'
import { UploadRows, UploadWait } from './UploadRows.tsx'
import { type Uploads, useUploads } from './useUploads.ts'

/** The reason why a form cannot be saved: files are uploading, or an upload failed. */
export type FilesPending = 'busy' | 'failed' | null

interface Props {
  /** The record that receives the files; the form refers to them by id. */
  parent: Parent
  /** Ids of the attached files. */
  value: readonly string[]
  onChange: (ids: readonly string[]) => void
  /** Names of the files, by id. */
  known: ReadonlyMap<string, AttachmentName>
  onPending: (pending: FilesPending) => void
  /** Set once the form is saved: uploaded files of a discarded form are deleted. */
  saved: RefObject<boolean>
}

const discard = (id: string) => void call(attachmentsApi.remove, { params: { id } }).catch(() => undefined)

function Retry({ uploads }: { uploads: Uploads }) {
  const text = useText()
  const waiting = useSecondsUntil(uploads.until) > 0
  return (
    <Button size="small" variant="outlined" disabled={waiting} onClick={uploads.send}>
      {text('attachments.retry')}
    </Button>
  )
}

interface KnownProps {
  files: readonly AttachmentName[]
  onChoose: (file: AttachmentName) => void
}
/** Picks from files that exist already. */
function KnownFiles({ files, onChoose }: KnownProps) {
  const text = useText()
  const [place, setPlace] = useState<HTMLElement | null>(null)
  if (files.length === 0) return null
  return (
    <>
      <Button
        size="small"
        color="inherit"
        startIcon={<FolderOpenRounded />}
        aria-haspopup="menu"
        aria-expanded={place !== null}
        onClick={(event) => setPlace(event.currentTarget)}
      >
        {text('attachments.attachKnown')}
      </Button>
      <Menu
        open={place !== null}
        anchorEl={place}
        onClose={() => setPlace(null)}
        slotProps={{
          list: { 'aria-label': text('attachments.knownFiles') },
          paper: { sx: { maxHeight: 320, maxWidth: 'min(420px, 100vw)' } },
        }}
      >
        {files.map((file) => (
          <MenuItem
            key={file.id}
            onClick={() => {
              onChoose(file)
              setPlace(null)
            }}
            sx={{ gap: 1, whiteSpace: 'normal', overflowWrap: 'anywhere' }}
          >
            <FileIcon extension={file.extension} sx={{ color: 'text.secondary' }} />
            <bdi>{wholeName(file)}</bdi>
          </MenuItem>
        ))}
      </Menu>
    </>
  )
}

/** The files of a task or update in its form: newly uploaded or chosen among existing ones. */
export function FilesField({ parent, value, onChange, known, onPending, saved }: Props) {
  const text = useText()
  const [fresh, setFresh] = useState<ReadonlyMap<string, AttachmentName>>(new Map())
  const latest = useRef({ value, fresh })
  const uploads = useUploads(parent, {
    atOnce: true,
    onAdded: (file) => {
      const { value: ids, fresh: before } = latest.current
      latest.current = { value: [...ids, file.id], fresh: new Map(before).set(file.id, file) }
      setFresh(latest.current.fresh)
      onChange(latest.current.value)
    },
  })
  useEffect(() => {
    latest.current = { value, fresh }
  })
  const { input, ask } = useFileField(uploads.choose, { multiple: true })
  const { list, problem, busy, clear } = uploads
  const pending = busy ? 'busy' : list.length > 0 ? 'failed' : null
  useEffect(() => onPending(pending), [pending, onPending])
  useEffect(
    () => () => {
      clear()
      // After an expired session the person comes back to the form, so its files are kept.
      if (!saved.current && getSession().tokens) for (const id of latest.current.fresh.keys()) discard(id)
    },
    [clear, saved],
  )
  const files = value.flatMap((id) => fresh.get(id) ?? known.get(id) ?? [])
  const others = [...known.values()].filter(({ id }) => !value.includes(id) && !fresh.has(id))
  const detach = ({ id }: AttachmentName) => {
    onChange(value.filter((one) => one !== id))
    if (!fresh.has(id)) return
    setFresh(new Map([...fresh].filter(([one]) => one !== id)))
    discard(id)
  }
  return (
    <Box sx={{ display: 'grid', gap: 1 }}>
      <FileChips files={files} onDetach={detach} />
      <UploadRows uploads={uploads} />
      <UploadWait until={uploads.until} />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
        <Button size="small" color="inherit" startIcon={<AttachFileRounded />} disabled={busy} onClick={ask}>
          {text('attachments.attach')}
        </Button>
        <KnownFiles files={others} onChoose={({ id }) => onChange([...value, id])} />
        {pending === 'failed' && <Retry uploads={uploads} />}
        <Box role="alert" sx={{ color: 'error.main', fontSize: '0.8125rem' }}>
          {problem}
        </Box>
      </Box>
      {input}
    </Box>
  )
}
