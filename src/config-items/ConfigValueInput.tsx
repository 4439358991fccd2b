import Autocomplete from '@mui/material/Autocomplete'
import Chip from '@mui/material/Chip'
import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import { useState } from 'react'

import type { ConfigItem } from '#contract/config-items/schema.ts'
import { wholeNumber } from '#contract/kit/numbers.ts'
import { useText } from '#src/kit/useText.ts'

import { declarationOf, type EditedValue } from './configValues.ts'

interface Props {
  item: ConfigItem
  value: EditedValue
  onChange: (value: EditedValue) => void
  problem: string | undefined
  id: string
}

const YES_NO = ['true', 'false'] as const

/** The control for the type of a configuration item. */
export function ConfigValueInput(props: Props) {
  const text = useText()
  switch (props.item.type) {
    case 'BOOLEAN':
      return (
        <Choice
          {...props}
          options={YES_NO.map((value) => ({
            value,
            label: text(value === 'true' ? 'configItems.yes' : 'configItems.no'),
          }))}
          onChange={(value) => props.onChange(value === 'true')}
        />
      )
    case 'ENUM':
      return (
        <Choice
          {...props}
          options={(declarationOf(props.item)?.options ?? []).map((value) => ({ value, label: value }))}
        />
      )
    case 'INTEGER':
      return <WholeNumber {...props} />
    case 'STRING':
      return props.item.isSecret ? <Secret {...props} /> : <Words {...props} />
    default:
      return <Entries {...props} />
  }
}

const nameOf = ({ item, id }: Props) => ({ id, 'aria-label': item.databaseKey })

function Choice({
  options,
  ...props
}: Omit<Props, 'onChange'> & {
  options: readonly { readonly value: string; readonly label: string }[]
  onChange: (value: string) => void
}) {
  const { value, problem } = props
  return (
    <TextField
      select
      autoFocus
      value={String(value)}
      onChange={({ target }) => props.onChange(target.value)}
      error={problem !== undefined}
      helperText={problem}
      slotProps={{ htmlInput: { ...nameOf(props as Props) } }}
      sx={{ maxWidth: 360 }}
    >
      {options.map((option) => (
        <MenuItem key={option.value} value={option.value}>
          {option.label}
        </MenuItem>
      ))}
    </TextField>
  )
}

/** The typed whole number, or the words as they are, which saving refuses. */
function numberOrWords(typed: string): number | string {
  const number = wholeNumber(typed)
  return Number.isNaN(number) ? typed : number
}

function WholeNumber(props: Props) {
  const { value, onChange, problem } = props
  return (
    <TextField
      autoFocus
      value={value ?? ''}
      onChange={({ target }) => {
        onChange(target.value.trim() === '' ? null : numberOrWords(target.value))
      }}
      error={problem !== undefined}
      helperText={problem}
      slotProps={{ htmlInput: { ...nameOf(props), inputMode: 'numeric', autoComplete: 'off' } }}
      sx={{ maxWidth: 240 }}
    />
  )
}

const LONG = 200

function Words(props: Props) {
  const { item, value, onChange, problem } = props
  const isLong = (declarationOf(item)?.maxLength ?? 0) > LONG
  return (
    <TextField
      autoFocus
      value={value ?? ''}
      onChange={({ target }) => onChange(target.value)}
      error={problem !== undefined}
      helperText={problem}
      {...(isLong && { multiline: true, minRows: 3, maxRows: 10 })}
      slotProps={{ htmlInput: { ...nameOf(props), autoComplete: 'off', dir: 'auto' } }}
      sx={{ maxWidth: 640 }}
    />
  )
}

/** A new value for a secret. The current one is not sent to browsers, and an empty one is not a value. */
function Secret(props: Props) {
  const text = useText()
  const { item, value, onChange, problem } = props
  return (
    <TextField
      autoFocus
      type="password"
      value={value ?? ''}
      onChange={({ target }) => onChange(target.value || null)}
      error={problem !== undefined}
      helperText={problem ?? text(item.hasValue ? 'configItems.replacesSecret' : 'configItems.secretHelp')}
      slotProps={{ htmlInput: { ...nameOf(props), autoComplete: 'new-password', dir: 'auto' } }}
      sx={{ maxWidth: 640 }}
    />
  )
}

/** A list of texts or numbers; limited lists offer their options. */
function Entries(props: Props) {
  const text = useText()
  const { item, value, onChange, problem, id } = props
  const [typed, setTyped] = useState('')
  const isNumbers = item.type === 'NUMBER_LIST'
  const options = declarationOf(item)?.options
  const entries = (Array.isArray(value) ? value : []).map(String)
  const change = (next: readonly string[]) => {
    const kept = [...new Set(next.map((entry) => entry.trim()).filter(Boolean))]
    const numbers = isNumbers ? kept.map(wholeNumber) : []
    // Words among numbers stay, so that saving says what is wrong.
    onChange(isNumbers && !numbers.some(Number.isNaN) ? numbers : kept)
  }
  const help = options ? undefined : text(isNumbers ? 'configItems.numbersHelp' : 'configItems.listHelp')
  return (
    <Autocomplete
      multiple
      freeSolo={options === undefined}
      options={options ?? []}
      value={entries}
      inputValue={typed}
      onInputChange={(_, input) => setTyped(input)}
      onChange={(_, next) => change(next)}
      // Adds typed text that was not confirmed.
      onBlur={() => {
        if (options || typed.trim() === '') return
        change([...entries, typed])
        setTyped('')
      }}
      renderValue={(values, getItemProps) =>
        values.map((entry, index) => {
          const { key, ...rest } = getItemProps({ index })
          return <Chip key={key} {...rest} size="small" label={entry} />
        })
      }
      renderInput={(params) => (
        <TextField
          {...params}
          autoFocus
          error={problem !== undefined}
          helperText={problem ?? help}
          slotProps={{
            ...params.slotProps,
            htmlInput: { ...params.slotProps.htmlInput, id, 'aria-label': item.databaseKey },
          }}
        />
      )}
      sx={{ maxWidth: 640 }}
    />
  )
}
