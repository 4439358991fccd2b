import CloseRounded from '@mui/icons-material/CloseRounded'
import Autocomplete from '@mui/material/Autocomplete'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import TextField from '@mui/material/TextField'
import { useInput } from 'ra-core'
import { memo, useCallback, useId, useMemo, useRef, useState } from 'react'

import { fullName, isSelectable } from '#contract/users/rules.ts'
import type { TextKey } from '#providers/i18nProvider.ts'
import { messageIn } from '#src/kit/form/formRules.ts'
import { useText } from '#src/kit/useText.ts'

import { OUT_OF_SIGHT } from './outOfSight.ts'
import { PersonLine } from './PersonLine.tsx'
import { useChoosable } from './useChoosable.tsx'
import type { People } from './usePeople.ts'
import { usePersonOptions } from './usePersonOptions.tsx'

const NOBODY: readonly string[] = []

interface Props {
  source: string
  /** With `%{smart_count}` for how many they are. */
  label: TextKey
  empty: TextKey
}

/** Those who were chosen. On its own, because they may be a thousand and do not change while something else is typed. */
const Chosen = memo(function Chosen({
  emails,
  byEmail,
  empty,
  onRemove,
}: {
  emails: readonly string[]
  byEmail: People['byEmail']
  empty: TextKey
  onRemove: (email: string) => void
}) {
  const text = useText()
  const nameOf = (email: string) => {
    const user = byEmail.get(email)
    return (user && fullName(user)) || email
  }
  return (
    <Box
      component={emails.length > 0 ? 'ul' : 'p'}
      sx={{
        m: 0,
        mt: 1,
        p: 0,
        maxHeight: 360,
        overflowY: 'auto',
        border: 1,
        borderColor: 'divider',
        borderRadius: '6px',
        listStyle: 'none',
        '& > li': { pl: 1.5, pr: 0.5, py: 0.75, ...OUT_OF_SIGHT },
        '& > li + li': { borderTop: 1, borderColor: 'divider' },
      }}
    >
      {emails.length === 0 && (
        <Box component="span" sx={{ display: 'block', px: 1.5, py: 1, color: 'text.secondary' }}>
          {text(empty)}
        </Box>
      )}
      {emails.map((email) => (
        <li key={email}>
          <PersonLine email={email} user={byEmail.get(email)}>
            <IconButton
              size="small"
              aria-label={text('grid.remove', { name: nameOf(email) })}
              onClick={() => onRemove(email)}
            >
              <CloseRounded />
            </IconButton>
          </PersonLine>
        </li>
      ))}
    </Box>
  )
})

/**
 * People in a form, by their addresses: found as one types, and listed below. Offered is who can be chosen (foundation
 * §6), people from outside once they are asked for; whoever is in the list already stays until removed.
 */
export function PeopleInput({ source, label, empty }: Props) {
  const text = useText()
  const personOptions = usePersonOptions()
  const labelId = useId()
  const box = useRef<HTMLInputElement>(null)
  const { id, field, fieldState } = useInput({ source, format: undefined, parse: undefined })
  const chosen = (field.value ?? NOBODY) as readonly string[]
  const { people, choosable, externalsSwitch } = useChoosable(isSelectable)
  const { byEmail } = people
  const [typed, setTyped] = useState('')
  const options = useMemo(() => {
    const there = new Set(chosen)
    return choosable.filter(({ email }) => !there.has(email))
  }, [choosable, chosen])
  const problem = messageIn(fieldState.error)
  const { onChange } = field
  const remove = useCallback(
    (email: string) => {
      onChange(chosen.filter((other) => other !== email))
      box.current?.focus()
    },
    [onChange, chosen],
  )

  return (
    <Box role="group" aria-labelledby={labelId}>
      <Box id={labelId} sx={{ fontWeight: 600, mb: 0.5 }}>
        {text(label, { smart_count: chosen.length })}
      </Box>
      <Autocomplete
        {...personOptions}
        size="small"
        options={options}
        value={null}
        inputValue={typed}
        // Choosing somebody writes nothing into the field: the next one is typed at once.
        onInputChange={(_, value, reason) => setTyped(reason === 'input' ? value : '')}
        onChange={(_, user) => user && field.onChange([user.email, ...chosen])}
        onBlur={field.onBlur}
        disableCloseOnSelect
        renderInput={(params) => (
          <TextField
            {...params}
            id={id}
            inputRef={(element: HTMLInputElement | null) => {
              box.current = element
              field.ref(element)
            }}
            placeholder={text('people.add')}
            error={problem !== undefined}
            helperText={problem}
            slotProps={{
              ...params.slotProps,
              htmlInput: { ...params.slotProps.htmlInput, 'aria-label': text('people.add') },
            }}
          />
        )}
      />
      {externalsSwitch}
      <Chosen emails={chosen} byEmail={byEmail} empty={empty} onRemove={remove} />
    </Box>
  )
}
