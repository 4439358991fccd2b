import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import { useState } from 'react'

import { fileLinksApi } from '#contract/file-links/api.ts'
import {
  type IssuedFileLink,
  LABEL_REQUIRED,
  type LinkDirection,
  OPENINGS_RANGE,
} from '#contract/file-links/schema.ts'
import type { StorageItem } from '#contract/files/schema.ts'
import { wholeName } from '#contract/kit/files.ts'
import { wholeNumber } from '#contract/kit/numbers.ts'
import { call } from '#providers/api.ts'
import { HttpProblem, messageOf } from '#providers/problem.ts'
import { CancelButton } from '#src/kit/feedback/CancelButton.tsx'
import { DialogFrame } from '#src/kit/feedback/DialogFrame.tsx'
import { CopyField } from '#src/kit/form/CopyField.tsx'
import { useSubmitOnce } from '#src/kit/form/useSubmitOnce.ts'
import { useText } from '#src/kit/useText.ts'
import { useConfig } from '#src/config/useConfig.ts'

import { useRefreshLinks } from './queries.ts'

const DAYS = [1, 3, 7, 14, 30, 90, 365]

interface Props {
  item: StorageItem
  onClose: () => void
}

function Issued({ link, onClose }: { link: IssuedFileLink; onClose: () => void }) {
  const text = useText()
  return (
    <DialogFrame
      title={text('fileLinks.made')}
      maxWidth="sm"
      onClose={onClose}
      actions={
        <Button variant="contained" onClick={onClose}>
          {text('fileLinks.done')}
        </Button>
      }
    >
      <Box sx={{ display: 'grid', gap: 2, pt: 1 }}>
        <Alert severity="info">{text('fileLinks.madeText')}</Alert>
        <CopyField
          label={text('fileLinks.address')}
          copyLabel={text('fileLinks.copyOf', { label: text('fileLinks.address') })}
          value={`${location.origin}/link#${link.token}`}
        />
        <CopyField
          label={text('fileLinks.passcode')}
          copyLabel={text('fileLinks.copyOf', { label: text('fileLinks.passcode') })}
          value={link.passcode}
        />
      </Box>
    </DialogFrame>
  )
}

/** Makes a link to a file or folder for people without an account, and shows it once. */
export function LinkDialog({ item, onClose }: Props) {
  const text = useText()
  const refresh = useRefreshLinks()
  const maxDays = useConfig()?.fileLinkMaxDays ?? 14
  const choices = [...new Set([...DAYS.filter((count) => count < maxDays), maxDays])]
  const [draft, setDraft] = useState({
    label: '',
    direction: 'DOWN' as LinkDirection,
    days: 7,
    openingsMax: '',
  })
  const days = Math.min(draft.days, maxDays)
  const [problems, setProblems] = useState<{ readonly [field: string]: string }>({})
  const [problem, setProblem] = useState<string>()
  const [issued, setIssued] = useState<IssuedFileLink>()
  const change = (patch: Partial<typeof draft>) => setDraft({ ...draft, ...patch })
  const { busy, submit } = useSubmitOnce(async () => {
    setProblem(undefined)
    if (draft.label.trim() === '') return setProblems({ label: LABEL_REQUIRED })
    const openingsMax = draft.openingsMax.trim() === '' ? null : wholeNumber(draft.openingsMax)
    if (Number.isNaN(openingsMax)) return setProblems({ openingsMax: OPENINGS_RANGE })
    setProblems({})
    try {
      setIssued(await call(fileLinksApi.create, { body: { itemId: item.id, ...draft, days, openingsMax } }))
      refresh()
    } catch (error) {
      if (error instanceof HttpProblem && error.body.fields) setProblems(error.body.fields)
      setProblem(messageOf(error, text('kit.wentWrong')))
    }
  })
  if (issued) return <Issued link={issued} onClose={onClose} />
  const wrong = (field: string) =>
    problems[field] === undefined ? {} : { error: true, helperText: problems[field] }
  return (
    <DialogFrame
      title={text('fileLinks.makeTitle', { name: wholeName(item) })}
      isShort
      onClose={() => !busy && onClose()}
      actions={
        <>
          <CancelButton onClick={onClose} disabled={busy} />
          <Button variant="contained" loading={busy} onClick={submit}>
            {text('fileLinks.make')}
          </Button>
        </>
      }
    >
      <Box sx={{ color: 'text.secondary' }}>{text('fileLinks.lead')}</Box>
      <TextField
        label={text('fileLinks.label')}
        value={draft.label}
        autoFocus
        required
        onChange={({ target }) => change({ label: target.value })}
        slotProps={{ htmlInput: { dir: 'auto', maxLength: 255 } }}
        {...wrong('label')}
      />
      {item.isFolder && (
        <TextField
          select
          label={text('fileLinks.direction')}
          value={draft.direction}
          onChange={({ target }) => change({ direction: target.value as LinkDirection })}
          {...wrong('direction')}
        >
          <MenuItem value="DOWN">{text('fileLinks.DOWN')}</MenuItem>
          <MenuItem value="UP" disabled={!item.isEditable}>
            {text('fileLinks.UP')}
          </MenuItem>
        </TextField>
      )}
      <TextField
        select
        label={text('fileLinks.days')}
        value={days}
        onChange={({ target }) => change({ days: Number(target.value) })}
        {...wrong('days')}
      >
        {choices.map((count) => (
          <MenuItem key={count} value={count}>
            {text('fileLinks.daysCount', { smart_count: count })}
          </MenuItem>
        ))}
      </TextField>
      <TextField
        label={text('fileLinks.openingsMax')}
        value={draft.openingsMax}
        onChange={({ target }) => change({ openingsMax: target.value })}
        slotProps={{ htmlInput: { inputMode: 'numeric', autoComplete: 'off' } }}
        {...wrong('openingsMax')}
      />
      {problem && <Alert severity="error">{problem}</Alert>}
    </DialogFrame>
  )
}
