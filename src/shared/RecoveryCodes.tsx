import DownloadRounded from '@mui/icons-material/DownloadRounded'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import FormControlLabel from '@mui/material/FormControlLabel'
import Typography from '@mui/material/Typography'
import { useEffect, useRef, useState } from 'react'

import { useSession } from '#providers/session.ts'
import { saveFile } from '#src/kit/browser/saveFile.ts'
import { useText } from '#src/kit/useText.ts'

import { CopyButton } from './CopyButton.tsx'

/** In two halves, as people read it. */
const shown = (code: string) => {
  const half = Math.ceil(code.length / 2)
  return `${code.slice(0, half)} ${code.slice(half)}`
}

interface Props {
  codes: readonly string[]
  /** Whether there were others before, which no longer work. */
  replaced?: boolean
  onSaved: () => void
}

/** The codes for the day when the phone is gone, shown this once. Fills a dialog that nothing but its button closes. */
export function RecoveryCodes({ codes, replaced = false, onSaved }: Props) {
  const text = useText()
  const { organisation, user } = useSession()
  const lead = useRef<HTMLParagraphElement>(null)
  const [saved, setSaved] = useState(false)
  const [notCopied, setNotCopied] = useState(false)
  const lines = codes.map(shown)
  // What had the focus is gone; and a reload would lose the codes.
  useEffect(() => {
    lead.current?.focus()
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [])
  const download = () => saveFile(...fileOf(text, organisation?.code ?? '', user?.email ?? '', lines))
  return (
    <>
      <DialogContent sx={{ display: 'grid', alignContent: 'start', gap: 2 }}>
        <Typography ref={lead} tabIndex={-1} sx={{ color: 'text.secondary', outline: 'none' }}>
          {text('verifications.codesText')} {replaced && text('verifications.codesReplace')}
        </Typography>
        <Box
          component="ul"
          aria-label={text('verifications.codesList')}
          dir="ltr"
          translate="no"
          sx={{
            display: 'grid',
            gridTemplateColumns: '1fr 1fr',
            gap: 1,
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
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
          <CopyButton
            value={lines.join('\n')}
            label={text('verifications.copy')}
            onFail={() => setNotCopied(true)}
          />
          <Button
            variant="outlined"
            color="inherit"
            startIcon={<DownloadRounded />}
            onClick={download}
            sx={{ borderColor: 'background.edge' }}
          >
            {text('verifications.download')}
          </Button>
        </Box>
        {notCopied && <Alert severity="warning">{text('verifications.notCopied')}</Alert>}
        <FormControlLabel
          control={<Checkbox checked={saved} onChange={(event) => setSaved(event.target.checked)} />}
          label={text('verifications.saved')}
        />
      </DialogContent>
      <DialogActions>
        <Button variant="contained" disabled={!saved} onClick={onSaved}>
          {text('verifications.done')}
        </Button>
      </DialogActions>
    </>
  )
}

/** What is downloaded: says itself whose codes these are and what they are for. */
function fileOf(
  text: ReturnType<typeof useText>,
  code: string,
  email: string,
  lines: readonly string[],
): [Blob, string] {
  const file = [
    text('verifications.fileTitle'),
    text('verifications.fileOrganization', { code }),
    text('verifications.fileAccount', { email }),
    text('verifications.fileMade', { date: new Date().toISOString().slice(0, 10) }),
    '',
    ...lines,
    '',
    text('verifications.fileText'),
    '',
  ].join('\r\n')
  const name = `muster-recovery-codes-${code.replace(/[^\w-]+/g, '_')}.txt`
  return [new Blob([file], { type: 'text/plain;charset=utf-8' }), name]
}
