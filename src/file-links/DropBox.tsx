import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useState } from 'react'

import type { LinkVisit } from '#contract/file-links/schema.ts'
import { fileProblem, MEGABYTE } from '#contract/kit/files.ts'
import { linkPage as texts } from '#providers/i18n/link-page.ts'
import { messageOf, statusOf } from '#providers/problem.ts'
import { fileSize } from '#src/kit/browser/fileSize.ts'
import { DropArea } from '#src/kit/form/DropArea.tsx'
import { Lead } from '#src/kit/layout/Lead.tsx'

import { sendFile } from './visitQueries.ts'

interface Sending {
  readonly file: File
  readonly state: 'sending' | 'sent' | 'failed'
  readonly problem?: string
}
interface Props {
  visit: LinkVisit
  /** Called once the passcode is needed again. */
  onOver: () => void
}

/** Takes files in, and shows those of this visit alone. */
export function DropBox({ visit, onOver }: Props) {
  const { maxFileSize, allowedFileExtensions, item } = visit
  const [list, setList] = useState<readonly Sending[]>([])
  const change = (file: File, patch: Partial<Sending>) =>
    setList((before) => before.map((one) => (one.file === file ? { ...one, ...patch } : one)))
  const sendOne = async (file: File) => {
    try {
      await sendFile(visit.visit, file)
      change(file, { state: 'sent' })
    } catch (error) {
      if (statusOf(error) === 401) return onOver()
      change(file, { state: 'failed', problem: messageOf(error, texts.unexpected) })
    }
  }
  const add = async (files: readonly File[]) => {
    const limits = { maxBytes: maxFileSize * MEGABYTE, extensions: allowedFileExtensions }
    const added = files.map((file): Sending => {
      const problem = fileProblem(file, limits)
      return problem === undefined ? { file, state: 'sending' } : { file, state: 'failed', problem }
    })
    setList((before) => [...before, ...added])
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    for (const one of added) if (one.state === 'sending') await sendOne(one.file)
  }
  return (
    <>
      <Typography variant="h1" gutterBottom sx={{ overflowWrap: 'anywhere' }}>
        {item.name}
      </Typography>
      <Lead>{texts.sendLead}</Lead>
      <DropArea multiple label={texts.choose} onChoose={(files) => void add(files)} sx={{ mt: 3 }}>
        {({ ask }) => (
          <Button variant="contained" onClick={ask}>
            {texts.choose}
          </Button>
        )}
      </DropArea>
      <Box component="ul" aria-label={texts.list} sx={{ m: 0, mt: 2, p: 0, listStyle: 'none' }}>
        {list.map(({ file, state, problem }, index) => (
          // Rows are only added, and two files can have one name.
          <Box component="li" key={index} sx={{ py: 1 }}>
            <Box dir="auto" sx={{ overflowWrap: 'anywhere' }}>
              {file.name}
            </Box>
            {state === 'failed' ? (
              <Alert severity="error">{problem}</Alert>
            ) : (
              <Box sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>
                {state === 'sent' ? texts.sent : texts.sending} · {fileSize(navigator.language, file.size)}
              </Box>
            )}
          </Box>
        ))}
      </Box>
    </>
  )
}
