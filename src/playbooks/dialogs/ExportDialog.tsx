import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import FormControl from '@mui/material/FormControl'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormLabel from '@mui/material/FormLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import { useMutation } from '@tanstack/react-query'
import { useNotify } from 'react-admin'
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'

import { playbookExportsApi } from '#contract/playbook-exports/api.ts'
import {
  EXPORTED_AT_ONCE,
  type PlaybookExport,
  PlaybookExportType,
} from '#contract/playbook-exports/schema.ts'
import { ARCHIVED_AT_ONCE, PlaybookDocumentType, PlaybookSourceType } from '#contract/playbooks/schema.ts'
import { call, type DownloadedFile } from '#providers/api.ts'
import { messageOf, statusOf } from '#providers/problem.ts'
import { saveFile } from '#src/kit/browser/saveFile.ts'
import { useText } from '#src/kit/useText.ts'

import { DialogFrame } from '#src/kit/feedback/DialogFrame.tsx'
import { JobProgress } from './JobProgress.tsx'
import { PlaybookPicker, usePlaybookChoice } from './PlaybookPicker.tsx'
import { useJob } from './queries.ts'

interface Order {
  readonly ids: readonly string[]
  readonly type: PlaybookExportType
}
/** A file sent at once, or the job that makes it. */
type Outcome = DownloadedFile | PlaybookExport

/** The server sends few documents and a single source at once, and makes everything else in the background. */
function requestExport({ ids, type }: Order): Promise<Outcome> {
  const [id = ''] = ids
  const document = PlaybookDocumentType.safeParse(type)
  if (document.success && ids.length <= ARCHIVED_AT_ONCE)
    return call(playbookExportsApi.archive, { query: { ids: ids.join(','), type: document.data } })
  const source = PlaybookSourceType.safeParse(type)
  if (source.success && ids.length === 1)
    return call(playbookExportsApi.source, { params: { id }, query: { type: source.data } })
  return call(playbookExportsApi.request, { body: { ids: [...ids], type } })
}

/** Error message of an export: the server's or that of operations §8. */
function useFailureText() {
  const text = useText()
  return (error: unknown): string => {
    const status = statusOf(error) ?? 0
    const sentence = text('playbookDialogs.exportFailed', { status })
    return [sentence, messageOf(error, '')].filter(Boolean).join(' ')
  }
}

/** Requests exports, and saves their files. A finished job is downloaded while the dialog is open. */
function useExport(isOpen: boolean) {
  const text = useText()
  const notify = useNotify()
  const failureText = useFailureText()
  const job = useJob<PlaybookExport>({
    name: 'export',
    isRunning: ({ state }) => state === 'MAKING',
    fetchProgress: (id) => call(playbookExportsApi.progress, { params: { id } }),
  })
  const awaited = useRef<string>(null)
  const request = useMutation({
    mutationFn: requestExport,
    onSuccess: (outcome) => {
      if ('blob' in outcome) return saveFile(outcome.blob, outcome.fileName)
      awaited.current = outcome.id
      job.begin(outcome)
    },
  })
  const download = useMutation({
    mutationFn: (id: string) => call(playbookExportsApi.file, { params: { id } }),
    onSuccess: ({ blob, fileName }) => saveFile(blob, fileName),
  })
  const { id, state } = job.job ?? {}
  const fetchReady = useEffectEvent((ready: string) => {
    if (awaited.current !== ready) return
    awaited.current = null
    if (isOpen) download.mutate(ready)
    else notify(text('playbookDialogs.exportReadyClosed'), { type: 'success' })
  })
  useEffect(() => {
    if (id !== undefined && state === 'READY') fetchReady(id)
  }, [id, state])
  const error = request.error ?? download.error
  return {
    job,
    request,
    download,
    failure: error ? failureText(error) : undefined,
    forget: () => {
      job.forget()
      request.reset()
      download.reset()
    },
  }
}
type ExportState = ReturnType<typeof useExport>

function FormatChoice({
  type,
  onChange,
}: {
  type: PlaybookExportType
  onChange: (type: PlaybookExportType) => void
}) {
  const text = useText()
  const id = useId()
  return (
    <FormControl>
      <FormLabel id={id}>{text('playbookDialogs.format')}</FormLabel>
      <RadioGroup
        row
        aria-labelledby={id}
        value={type}
        onChange={(_, value) => onChange(PlaybookExportType.parse(value))}
      >
        {PlaybookExportType.options.map((one) => (
          <FormControlLabel
            key={one}
            value={one}
            control={<Radio />}
            label={text(`playbookDialogs.formats.${one}`)}
          />
        ))}
      </RadioGroup>
    </FormControl>
  )
}

interface ViewProps {
  state: ExportState
  onClose: () => void
}

/** Chooses playbooks and a format. */
function RequestView({ state: { request, failure }, onClose }: ViewProps) {
  const text = useText()
  const choice = usePlaybookChoice()
  const [type, setType] = useState<PlaybookExportType>('PDF')
  const count = choice.ids.size
  const isOver = count > EXPORTED_AT_ONCE
  return (
    <DialogFrame
      title={text('playbookDialogs.exportTitle')}
      isTall
      onClose={onClose}
      actions={
        <>
          <Box sx={{ flexBasis: { xs: '100%', sm: 0 }, flexGrow: 1 }}>
            <FormatChoice type={type} onChange={setType} />
          </Box>
          <Button color="inherit" onClick={onClose}>
            {text('kit.close')}
          </Button>
          <Button
            variant="contained"
            disabled={count === 0 || isOver}
            loading={request.isPending}
            onClick={() => request.mutate({ ids: [...choice.ids], type })}
          >
            {text('playbookDialogs.export')}
          </Button>
        </>
      }
    >
      <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2 }}>
        {request.isPending && (
          <JobProgress
            text={text('playbookDialogs.exporting')}
            label={text('playbookDialogs.exportProgress')}
          />
        )}
        {failure !== undefined && <Alert severity="error">{failure}</Alert>}
        {isOver && (
          <Alert severity="error">{text('playbookDialogs.tooMany', { max: EXPORTED_AT_ONCE })}</Alert>
        )}
        <PlaybookPicker choice={choice} />
      </Box>
    </DialogFrame>
  )
}

/** Progress of a job, and its file. */
function JobView({ made, state, onClose }: ViewProps & { made: PlaybookExport }) {
  const text = useText()
  const notify = useNotify()
  const { job, download, failure, forget } = state
  const isFailed = made.state === 'FAILED' || job.isGone
  const isReady = made.state === 'READY' && !job.isGone
  const close = () => {
    if (!isFailed && !isReady) notify(text('playbookDialogs.exportGoesOn'), { type: 'info' })
    else if (isFailed || download.isSuccess) forget()
    onClose()
  }
  return (
    <DialogFrame
      title={text('playbookDialogs.exportTitle')}
      maxWidth="sm"
      onClose={close}
      actions={
        <>
          <Button color="inherit" onClick={close}>
            {text('kit.close')}
          </Button>
          {(isFailed || isReady) && (
            <Button color="inherit" onClick={forget}>
              {text('playbookDialogs.exportAnother')}
            </Button>
          )}
          {isReady && (
            <Button variant="contained" loading={download.isPending} onClick={() => download.mutate(made.id)}>
              {text('playbookDialogs.download')}
            </Button>
          )}
        </>
      }
    >
      <Box sx={{ display: 'grid', gap: 2 }}>
        {isFailed ? (
          <Alert severity="error">
            {text('playbookDialogs.exportFailed', { status: job.isGone ? 404 : 500 })}
          </Alert>
        ) : (
          <JobProgress
            text={text(isReady ? 'playbookDialogs.exportReady' : 'playbookDialogs.exportingLong')}
            label={text('playbookDialogs.exportProgress')}
            value={isReady ? 100 : made.progress}
            warning={job.isLost ? text('playbookDialogs.exportLost') : undefined}
          />
        )}
        {failure !== undefined && <Alert severity="error">{failure}</Alert>}
      </Box>
    </DialogFrame>
  )
}

interface Props {
  open: boolean
  onClose: () => void
}

/**
 * Exports playbooks as documents, or as files that can be imported again (operations §2 "Export Playbooks", §8). A large
 * export continues while the dialog is closed, and reappears here; its end is notified while this is mounted.
 */
export function ExportDialog({ open, onClose }: Props) {
  const state = useExport(open)
  const made = state.job.job
  if (!open) return null
  return made ? (
    <JobView made={made} state={state} onClose={onClose} />
  ) : (
    <RequestView state={state} onClose={onClose} />
  )
}
