import ContentPasteRounded from '@mui/icons-material/ContentPasteRounded'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import { useId, useState } from 'react'

import { IMPORT_TEXT_MAX } from '#contract/playbook-imports/schema.ts'
import { FileDrop } from '#src/kit/form/FileDrop.tsx'
import { useText } from '#src/kit/useText.ts'

import { IMPORT_ACCEPT } from './fileValues.ts'
import type { RefusedFile } from './importValues.ts'

const FORMATS = ['md', 'json', 'csv'] as const

interface PasteProps {
  value: string
  onChange: (value: string) => void
  disabled: boolean
  onRead: (source: { name: string; content: string }) => void
}

/** Pasted text in a chosen format. */
function PasteField({ value, onChange, disabled, onRead }: PasteProps) {
  const text = useText()
  const [textId, formatId] = [useId(), useId()]
  const [format, setFormat] = useState<(typeof FORMATS)[number]>('md')
  const read = () => {
    onRead({ name: `${text('playbookDialogs.pastedName')}.${format}`, content: value })
    onChange('')
  }
  const isOver = value.length > IMPORT_TEXT_MAX
  return (
    <Box sx={{ display: 'grid', gap: 1.5 }}>
      <TextField
        id={textId}
        label={text('playbookDialogs.pasted')}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        multiline
        minRows={4}
        maxRows={10}
        autoFocus
        error={isOver}
        helperText={isOver && text('playbookDialogs.fileTooLong')}
        slotProps={{ htmlInput: { dir: 'auto', spellCheck: false } }}
      />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1.5 }}>
        <TextField
          select
          id={formatId}
          size="small"
          label={text('playbookDialogs.pastedAs')}
          value={format}
          onChange={(event) => setFormat(event.target.value as (typeof FORMATS)[number])}
          sx={{ minWidth: 160 }}
        >
          {FORMATS.map((one) => (
            <MenuItem key={one} value={one}>
              {text(`playbookDialogs.pasteFormats.${one}`)}
            </MenuItem>
          ))}
        </TextField>
        <Button variant="outlined" disabled={disabled || isOver || value.trim() === ''} onClick={read}>
          {text('playbookDialogs.readPasted')}
        </Button>
      </Box>
    </Box>
  )
}

interface Props {
  /** Pasted text that was not read yet. */
  pasted: string
  onPaste: (pasted: string) => void
  isReading: boolean
  disabled: boolean
  refused: readonly RefusedFile[]
  onDismiss: (key: string) => void
  onAdd: (sources: readonly (File | { name: string; content: string })[]) => void
}

/** Input of an import: files, or a text. Refused files are listed below with reasons. */
export function ImportSource({ pasted, onPaste, isReading, disabled, refused, onDismiss, onAdd }: Props) {
  const text = useText()
  const [pastes, setPastes] = useState(false)
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 1.5 }}>
      <FileDrop
        label="playbookDialogs.importField"
        text="playbookDialogs.importDrop"
        dropText="playbookDialogs.importDropNow"
        button="playbookDialogs.importChoose"
        accept={IMPORT_ACCEPT}
        multiple
        disabled={disabled}
        isWrong={false}
        onChoose={onAdd}
      >
        {text('playbookDialogs.importRules')}
      </FileDrop>
      {pastes ? (
        <PasteField
          value={pasted}
          onChange={onPaste}
          disabled={disabled}
          onRead={(source) => onAdd([source])}
        />
      ) : (
        <Button
          startIcon={<ContentPasteRounded />}
          sx={{ justifySelf: 'start' }}
          disabled={disabled}
          onClick={() => setPastes(true)}
        >
          {text('playbookDialogs.paste')}
        </Button>
      )}
      <Box role="status">{isReading && text('playbookDialogs.reading')}</Box>
      {refused.length > 0 && (
        <Box
          component="ul"
          aria-label={text('playbookDialogs.refusedFiles')}
          sx={{ display: 'grid', gap: 1, m: 0, p: 0, listStyle: 'none' }}
        >
          {refused.map(({ key, source, message }) => (
            <li key={key}>
              <Alert
                severity="error"
                onClose={() => onDismiss(key)}
                closeText={text('playbookDialogs.dismissFile', { name: source })}
                sx={{ overflowWrap: 'anywhere' }}
              >
                <Box component="bdi" sx={{ fontWeight: 600 }}>
                  {source}
                </Box>{' '}
                {message}
              </Alert>
            </li>
          ))}
        </Box>
      )}
    </Box>
  )
}
