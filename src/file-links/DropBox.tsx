import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useEffect, useEffectEvent, useState } from 'react'

import type { LinkVisit } from '#contract/file-links/schema.ts'
import { fileProblem, MEGABYTE } from '#contract/kit/files.ts'
import { linkPage as texts } from '#providers/i18n/link-page.ts'
import { messageOf, statusOf } from '#providers/problem.ts'
import { fileSize } from '#src/kit/browser/fileSize.ts'
import { newUuid } from '#providers/uuid.ts'
import { DropArea } from '#src/kit/form/DropArea.tsx'
import { Lead } from '#src/kit/layout/Lead.tsx'

import { sendFile } from './visitQueries.ts'

/** `lost` files are sent again once the connection is back, `refused` ones when a person asks for it. */
type State = 'waiting' | 'sending' | 'sent' | 'lost' | 'refused' | 'impossible'
const STATES: { readonly [S in State]?: string } = {
  waiting: texts.waiting,
  sending: texts.sending,
  sent: texts.sent,
}
interface Sending {
  /** Key of its row, because two files can have one name. */
  readonly id: string
  readonly file: File
  readonly state: State
  /** Fraction sent, 0 to 1. */
  readonly share: number
  readonly problem?: string
}
interface Props {
  visit: LinkVisit
  /** Called once the passcode is needed again. */
  onOver: () => void
}

/** The chosen files, sent one after the other. */
function useSending({ visit: { visit, maxFileSize, allowedFileExtensions }, onOver }: Props) {
  const [list, setList] = useState<readonly Sending[]>([])
  const change = (file: File, patch: Partial<Sending>) =>
    setList((before) => before.map((one) => (one.file === file ? { ...one, ...patch } : one)))
  const sendOne = async (file: File) => {
    change(file, { state: 'sending', share: 0 })
    try {
      await sendFile(visit, file, (share) => change(file, { share }))
      change(file, { state: 'sent' })
    } catch (error) {
      if (statusOf(error) === 401) return onOver()
      if (statusOf(error) === 0) change(file, { state: 'lost', problem: texts.lost })
      else change(file, { state: 'refused', problem: messageOf(error, texts.unexpected) })
    }
  }
  const send = async (files: readonly File[]) => {
    for (const file of files) change(file, { state: 'waiting' })
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    for (const file of files) await sendOne(file)
  }
  const add = (files: readonly File[]) => {
    const limits = { maxBytes: maxFileSize * MEGABYTE, extensions: allowedFileExtensions }
    const added = files.map((file): Sending => {
      const problem = fileProblem(file, limits)
      const row = { id: newUuid(), file, share: 0 }
      return problem === undefined ? { ...row, state: 'waiting' } : { ...row, state: 'impossible', problem }
    })
    setList((before) => [...before, ...added])
    void send(added.filter(({ state }) => state === 'waiting').map(({ file }) => file))
  }
  const sendLost = useEffectEvent(() => {
    void send(list.filter(({ state }) => state === 'lost').map(({ file }) => file))
  })
  useEffect(() => {
    const goOn = () => sendLost()
    window.addEventListener('online', goOn)
    return () => window.removeEventListener('online', goOn)
  }, [])
  return { list, add, retry: (file: File) => void send([file]) }
}

function Row({ sending, onRetry }: { sending: Sending; onRetry: () => void }) {
  const { file, state, share, problem } = sending
  const size = fileSize(navigator.language, file.size)
  return (
    <Box component="li" sx={{ py: 1 }}>
      <Box dir="auto" sx={{ overflowWrap: 'anywhere' }}>
        {file.name}
      </Box>
      {STATES[state] === undefined ? (
        <Alert
          severity={state === 'lost' ? 'warning' : 'error'}
          sx={{ mt: 0.5 }}
          action={
            state !== 'impossible' && (
              <Button
                color="inherit"
                size="small"
                aria-label={texts.retryOf(file.name)}
                onClick={onRetry}
                sx={{ whiteSpace: 'nowrap' }}
              >
                {texts.retry}
              </Button>
            )
          }
        >
          {problem}
        </Alert>
      ) : (
        <Box sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>
          {STATES[state]} · {size}
        </Box>
      )}
      {state === 'sending' && (
        <Box
          component="progress"
          value={share}
          aria-label={texts.sendingOf(file.name)}
          sx={{
            display: 'block',
            width: '100%',
            height: 6,
            mt: 0.75,
            accentColor: 'var(--m-palette-primary-main)',
          }}
        />
      )}
    </Box>
  )
}

/** Takes files in, and shows those of this visit alone. */
export function DropBox(props: Props) {
  const { list, add, retry } = useSending(props)
  return (
    <>
      <Typography variant="h1" gutterBottom sx={{ overflowWrap: 'anywhere' }}>
        {props.visit.item.name}
      </Typography>
      <Lead>{texts.sendLead}</Lead>
      <DropArea multiple label={texts.choose} onChoose={add} sx={{ mt: 3 }}>
        {({ over, ask }) => (
          <>
            <Button variant="contained" onClick={ask}>
              {texts.choose}
            </Button>
            <Box sx={{ display: { xs: 'none', sm: 'block' }, color: 'text.secondary' }}>
              {over ? texts.dropNow : texts.drop}
            </Box>
          </>
        )}
      </DropArea>
      <Box component="ul" aria-label={texts.list} sx={{ m: 0, mt: 2, p: 0, listStyle: 'none' }}>
        {list.map((sending) => (
          <Row key={sending.id} sending={sending} onRetry={() => retry(sending.file)} />
        ))}
      </Box>
    </>
  )
}
