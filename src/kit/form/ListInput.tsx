import DeleteRounded from '@mui/icons-material/DeleteRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import TextField from '@mui/material/TextField'
import { useInput } from 'react-admin'
import { useId, useRef, useState } from 'react'

import type { Schema } from '#contract/kit/endpoint.ts'
import type { TextKey } from '#providers/i18nProvider.ts'

import { messageIn, useFieldRule } from './formRules.ts'
import { useText } from '../useText.ts'

interface Props {
  source: string
  label: TextKey
  entryLabel: TextKey
  entryHelp?: TextKey
  /** Validates and normalises one entry. */
  entry: Schema
  empty: TextKey
}

/** A list of short texts in a form, added one by one. */
export function ListInput({ source, label, entryLabel, entryHelp, entry, empty }: Props) {
  const text = useText()
  const labelId = useId()
  const box = useRef<HTMLInputElement>(null)
  const { id, field, fieldState } = useInput({ source, format: undefined, parse: undefined })
  const entries = (field.value ?? []) as readonly string[]
  const [typed, setTyped] = useState('')
  const [wrong, setWrong] = useState<string>()
  const problemOf = (value: string) => entry.safeParse(value).error?.issues[0]?.message

  const add = () => {
    const problem = problemOf(typed)
    setWrong(problem)
    if (problem) return
    const kept = String(entry.parse(typed))
    if (!entries.includes(kept)) field.onChange([...entries, kept])
    setTyped('')
  }
  // Typed text that was not added: valid text is added on blur, invalid text blocks the form.
  useFieldRule(source, () => (typed.trim() === '' ? undefined : problemOf(typed)))
  const leave = () => {
    field.onBlur()
    if (typed.trim() !== '') add()
  }
  const problem = wrong ?? messageIn(fieldState.error)

  return (
    <Box role="group" aria-labelledby={labelId}>
      <Box id={labelId} sx={{ fontWeight: 600, mb: 0.5 }}>
        {text(label)}
      </Box>
      <Box
        component={entries.length > 0 ? 'ul' : 'p'}
        sx={{ m: 0, mb: 1, p: 0, border: 1, borderColor: 'divider', borderRadius: '6px', listStyle: 'none' }}
      >
        {entries.length === 0 && (
          <Box component="span" sx={{ display: 'block', px: 1.5, py: 1, color: 'text.secondary' }}>
            {text(empty)}
          </Box>
        )}
        {entries.map((value) => (
          <Box
            component="li"
            key={value}
            sx={{
              display: 'flex',
              alignItems: 'center',
              pl: 1.5,
              pr: 0.5,
              py: 0.25,
              '& + &': { borderTop: 1, borderColor: 'divider' },
            }}
          >
            <Box component="span" sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
              {value}
            </Box>
            <IconButton
              size="small"
              aria-label={text('grid.remove', { name: value })}
              onClick={() => {
                field.onChange(entries.filter((other) => other !== value))
                box.current?.focus()
              }}
            >
              <DeleteRounded />
            </IconButton>
          </Box>
        ))}
      </Box>
      <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 1 }}>
        <TextField
          id={id}
          value={typed}
          inputRef={(element: HTMLInputElement | null) => {
            box.current = element
            field.ref(element)
          }}
          onChange={(event) => {
            setTyped(event.target.value)
            setWrong(undefined)
          }}
          onBlur={leave}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            add()
          }}
          placeholder={text(entryLabel)}
          error={problem !== undefined}
          helperText={problem ?? (entryHelp && text(entryHelp))}
          slotProps={{ htmlInput: { 'aria-label': text(entryLabel), autoComplete: 'off' } }}
        />
        {/* Keeps the focus in the field, whose blur would add the entry already. */}
        <Button variant="outlined" onMouseDown={(event) => event.preventDefault()} onClick={add}>
          {text('grid.add')}
        </Button>
      </Box>
    </Box>
  )
}
