import CloseRounded from '@mui/icons-material/CloseRounded'
import Autocomplete from '@mui/material/Autocomplete'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Skeleton from '@mui/material/Skeleton'
import TextField from '@mui/material/TextField'
import { useInput } from 'react-admin'
import { memo, Suspense, useCallback, useId, useMemo, useRef, useState } from 'react'

import { usePeople } from '#providers/people.ts'
import type { TextKey } from '#providers/i18nProvider.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { messageIn } from '#src/kit/form/formRules.ts'
import { useText } from '#src/kit/useText.ts'

import { MarkSuppressed } from '#src/suppressions/MarkSuppressed.tsx'
import { OUT_OF_SIGHT } from '#src/kit/layout/outOfSight.ts'
import { peopleList } from './peopleList.ts'
import { PersonLine } from './PersonLine.tsx'
import { useChoosable } from './useChoosable.tsx'

const OrderedPeople = lazy(async () => ({ default: (await import('./OrderedPeople.tsx')).OrderedPeople }))

const NOBODY: readonly string[] = []
/** Chosen people rendered per page: a group may have thousands. */
const SHOWN = 100

interface Props {
  source: string
  /** Label with `%{smart_count}` for the number of people. */
  label: TextKey
  empty: TextKey
  /** True for people in an order, to which new ones are added at the end. */
  isOrdered?: boolean
}

/** The chosen people. Memoised, because they may be a thousand and do not change while something else is typed. */
const Chosen = memo(function Chosen({
  emails,
  empty,
  onRemove,
}: {
  emails: readonly string[]
  empty: TextKey
  onRemove: (email: string) => void
}) {
  const text = useText()
  const { find, nameOf } = usePeople()
  const [shown, setShown] = useState(SHOWN)
  const lists = useMemo(() => [emails.slice(0, shown)], [emails, shown])
  return (
    <MarkSuppressed lists={lists}>
      <Box
        component={emails.length > 0 ? 'ul' : 'p'}
        sx={{ ...peopleList, '& > li': { pl: 1.5, pr: 0.5, py: 0.75, ...OUT_OF_SIGHT } }}
      >
        {emails.length === 0 && (
          <Box component="span" sx={{ display: 'block', px: 1.5, py: 1, color: 'text.secondary' }}>
            {text(empty)}
          </Box>
        )}
        {emails.slice(0, shown).map((email) => (
          <li key={email}>
            <PersonLine email={email} user={find(email)}>
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
        {shown < emails.length && (
          <li>
            <Button size="small" onClick={() => setShown(shown + SHOWN)}>
              {text('people.showMore', { count: Math.min(SHOWN, emails.length - shown) })}
            </Button>
          </li>
        )}
      </Box>
    </MarkSuppressed>
  )
})

/**
 * A form field of people by their addresses, with a search and a list below. Offers people who can be chosen
 * (foundation §6), external people on request. Listed people stay until they are removed.
 */
export function PeopleInput({ source, label, empty, isOrdered = false }: Props) {
  const text = useText()
  const labelId = useId()
  const box = useRef<HTMLInputElement>(null)
  const { id, field, fieldState } = useInput({ source, format: undefined, parse: undefined })
  const chosen = (field.value ?? NOBODY) as readonly string[]
  const { picker, externalsSwitch, typed } = useChoosable({ chosen })
  const problem = messageIn(fieldState.error)
  const offered = useMemo(() => [picker.options], [picker.options])
  const { onChange } = field
  const remove = useCallback(
    (email: string) => {
      onChange(chosen.filter((other) => other !== email))
      box.current?.focus()
    },
    [onChange, chosen],
  )

  return (
    <MarkSuppressed lists={offered}>
      <Box role="group" aria-labelledby={labelId}>
        <Box id={labelId} sx={{ fontWeight: 600, mb: 0.5 }}>
          {text(label, { smart_count: chosen.length })}
        </Box>
        <Autocomplete
          {...picker}
          size="small"
          filterOptions={(emails) => emails.filter((email) => !chosen.includes(email))}
          value={null}
          // A choice clears the search for the next person.
          inputValue={typed}
          onChange={(_, email) =>
            email && field.onChange(isOrdered ? [...chosen, email] : [email, ...chosen])
          }
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
        {isOrdered && chosen.length > 0 ? (
          <Suspense fallback={<Skeleton variant="rounded" height={120} sx={{ mt: 1 }} />}>
            <OrderedPeople emails={chosen} onChange={field.onChange} onRemove={remove} />
          </Suspense>
        ) : (
          <Chosen emails={chosen} empty={empty} onRemove={remove} />
        )}
      </Box>
    </MarkSuppressed>
  )
}
