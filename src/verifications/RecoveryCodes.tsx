import DownloadRounded from '@mui/icons-material/DownloadRounded'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import { type ReactNode, useEffect, useState } from 'react'

import { credentials as texts } from '#providers/i18n/credentials.ts'
import { useSession } from '#providers/session.ts'
import { saveFile } from '#src/kit/browser/saveFile.ts'

import { CopyButton } from '#src/kit/form/CopyButton.tsx'
import { ButtonRow, FormFrame, type FormVariant } from '#src/kit/form/FormFrame.tsx'

/** Splits a code into two readable halves. */
function groupDigits(code: string): string {
  const half = Math.ceil(code.length / 2)
  return `${code.slice(0, half)} ${code.slice(half)}`
}

/** A closed tab would lose the codes, which cannot be shown again. */
function useLeaveQuestion() {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [])
}

/** Stands for the organisation in the file of staff, who have none. */
const CONSOLE = 'console'

interface Props {
  variant: FormVariant
  codes: readonly string[]
  /** Address of the account. */
  email: string
  labels: Readonly<Record<'copy' | 'download' | 'done', string>>
  onSaved: () => void
  /** Content above the codes. */
  children?: ReactNode
}

/** The recovery codes of an account, shown once. The form can be submitted once the person confirms having saved them. */
export function RecoveryCodes({ variant, codes, email, labels, onSaved, children }: Props) {
  const { organisation } = useSession()
  const [saved, setSaved] = useState(false)
  const [notCopied, setNotCopied] = useState(false)
  const lines = codes.map(groupDigits)
  useLeaveQuestion()
  const download = () => saveFile(...fileOf(organisation?.code ?? CONSOLE, email, lines))
  return (
    <FormFrame
      variant={variant}
      onSubmit={() => saved && onSaved()}
      buttons={
        <Button type="submit" variant="contained" disabled={!saved}>
          {labels.done}
        </Button>
      }
    >
      {children}
      <Box
        component="ul"
        aria-label={texts.recoveryCodes}
        dir="ltr"
        translate="no"
        sx={{
          display: 'grid',
          gridTemplateColumns: '1fr 1fr',
          gap: '8px 16px',
          m: 0,
          p: 2,
          border: 1,
          borderColor: 'divider',
          borderRadius: 1,
          bgcolor: 'background.default',
          listStyle: 'none',
          fontFamily: 'monospace',
          fontSize: '1rem',
          fontWeight: 600,
          textAlign: 'center',
        }}
      >
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </Box>
      <ButtonRow>
        <CopyButton value={lines.join('\n')} label={labels.copy} onFail={() => setNotCopied(true)} />
        <Button
          variant="outlined"
          color="inherit"
          startIcon={<DownloadRounded />}
          onClick={download}
          sx={{ borderColor: 'background.edge' }}
        >
          {labels.download}
        </Button>
      </ButtonRow>
      {notCopied && <Alert severity="warning">{texts.notCopied}</Alert>}
      <FormControlLabel
        control={<Checkbox checked={saved} onChange={(event) => setSaved(event.target.checked)} />}
        label={texts.saved}
      />
    </FormFrame>
  )
}

/** Names owner and purpose in the file. */
function fileOf(code: string, email: string, lines: readonly string[]): [Blob, string] {
  const file = [
    texts.fileTitle,
    `${texts.fileOrganization}: ${code}`,
    `${texts.fileAccount}: ${email}`,
    `${texts.fileMade}: ${new Date().toISOString().slice(0, 10)}`,
    '',
    ...lines,
    '',
    texts.fileText,
    '',
  ].join('\r\n')
  const name = `muster-recovery-codes-${code.replace(/[^\w-]+/g, '_')}.txt`
  return [new Blob([file], { type: 'text/plain;charset=utf-8' }), name]
}
