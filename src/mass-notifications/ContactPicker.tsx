import CloseRounded from '@mui/icons-material/CloseRounded'
import Autocomplete from '@mui/material/Autocomplete'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import TextField from '@mui/material/TextField'
import { memo, type Ref, useCallback, useId, useMemo, useRef, useState } from 'react'

import type { Contact } from '#contract/contacts/schema.ts'
import { hasEachWord } from '#src/kit/browser/hasEachWord.ts'
import { useDebounced } from '#src/kit/browser/useDebounced.ts'
import { useReadablePhone } from '#src/kit/phones.ts'
import { useText } from '#src/kit/useText.ts'
import { MarkSuppressed } from '#src/suppressions/MarkSuppressed.tsx'
import { SuppressionMark } from '#src/suppressions/SuppressionMark.tsx'
import { OUT_OF_SIGHT } from '#src/kit/layout/outOfSight.ts'

import { useFoundContacts, useNamedContacts } from './queries.ts'

const SEARCH_DELAY_MS = 150
const SEARCH_MAX = 255
type Known = Pick<Contact, 'name' | 'email' | 'phone'>

/** A contact in a list: name, address and phone. */
function Line({ contact, email }: { contact: Known | undefined; email: string }) {
  const readablePhone = useReadablePhone()
  const details = [contact?.name ? email : '', readablePhone(contact?.phone ?? null)].filter(Boolean)
  return (
    <Box sx={{ flex: 1, minWidth: 0, lineHeight: 1.35, overflowWrap: 'anywhere' }}>
      <Box component="span" dir="auto" sx={{ display: 'block', fontWeight: 600 }}>
        {contact?.name || email}
      </Box>
      {details.length > 0 && (
        <Box component="span" sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>
          {details.join(' · ')}
        </Box>
      )}
    </Box>
  )
}

/** The chosen contacts. Memoised, because they may be a thousand and do not change while somebody types. */
const Chosen = memo(function Chosen({
  emails,
  byEmail,
  onRemove,
}: {
  emails: readonly string[]
  byEmail: ReadonlyMap<string, Known>
  onRemove: (email: string) => void
}) {
  const text = useText()
  return (
    <Box
      component="ul"
      sx={{
        m: 0,
        mt: 1,
        p: 0,
        maxHeight: 224,
        overflowY: 'auto',
        border: 1,
        borderColor: 'divider',
        borderRadius: '6px',
        listStyle: 'none',
        '& > li': { display: 'flex', alignItems: 'center', pl: 1.5, pr: 0.5, py: 0.75, ...OUT_OF_SIGHT },
        '& > li + li': { borderTop: 1, borderColor: 'divider' },
      }}
    >
      {emails.map((email) => (
        <li key={email}>
          <Line contact={byEmail.get(email)} email={email} />
          <SuppressionMark addresses={[email, byEmail.get(email)?.phone ?? null]} />
          <IconButton
            size="small"
            aria-label={text('grid.remove', { name: byEmail.get(email)?.name || email })}
            onClick={() => onRemove(email)}
          >
            <CloseRounded />
          </IconButton>
        </li>
      ))}
    </Box>
  )
})

interface Props {
  /** Email addresses. */
  value: readonly string[]
  onChange: (emails: string[]) => void
  error?: string | undefined
  inputRef?: Ref<HTMLInputElement>
}

const NOBODY: readonly Contact[] = []

/** Details of the chosen contacts: from the search, or else from the server. */
function useChosen(value: readonly string[]) {
  const [picked, setPicked] = useState<ReadonlyMap<string, Known>>(new Map())
  const unknown = useMemo(() => value.filter((email) => !picked.has(email)), [value, picked])
  const { data } = useNamedContacts(unknown)
  const byEmail = useMemo(() => {
    const known = new Map(picked)
    for (const { name, email, phone } of data ?? [])
      if (email !== null) known.set(email, { name, email, phone })
    return known
  }, [picked, data])
  const meet = (contact: Known) => setPicked((before) => new Map(before).set(contact.email, contact))
  return { byEmail, meet }
}

const addressesOf = ({ email, phone }: Known) => [email, phone]

/** Addresses on screen: of the chosen contacts, and of the options while their list is open. */
function useLists(value: readonly string[], byEmail: ReadonlyMap<string, Known>, options: readonly Known[]) {
  const chosen = useMemo(
    () => value.flatMap((email) => addressesOf(byEmail.get(email) ?? { name: '', email, phone: null })),
    [value, byEmail],
  )
  const offered = useMemo(() => options.flatMap(addressesOf), [options])
  return useMemo(() => [chosen, offered], [chosen, offered])
}

/** Chooses single contacts by searching on the server, because there may be ten thousand. */
export function ContactPicker({ value, onChange, error, inputRef }: Props) {
  const text = useText()
  const id = useId()
  const box = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const wanted = typed.trim().slice(0, SEARCH_MAX)
  const searched = useDebounced(wanted, SEARCH_DELAY_MS)
  const { data, error: problem, refetch, isPlaceholderData } = useFoundContacts(searched)
  const isSearching = !data || isPlaceholderData || searched !== wanted
  const { byEmail, meet } = useChosen(value)
  const options = useMemo(() => {
    const there = new Set(value)
    const holds = ({ name, email, phone }: Known) => hasEachWord(`${name} ${email} ${phone ?? ''}`, wanted)
    // Earlier results stay during a search if they match the text.
    return (data ?? NOBODY).filter((contact) => !there.has(contact.email) && (!isSearching || holds(contact)))
  }, [data, value, isSearching, wanted])
  const [isOpen, setOpen] = useState(false)
  const lists = useLists(value, byEmail, isOpen ? options : NOBODY)
  const remove = useCallback(
    (email: string) => {
      onChange(value.filter((other) => other !== email))
      box.current?.focus()
    },
    [onChange, value],
  )
  const label = text('massNotifications.addContact')
  const failed = !data && problem !== null
  const isNobody = data?.length === 0 && searched === ''
  const nobody = isNobody ? 'massNotifications.noContactsYet' : 'massNotifications.noContactFound'
  return (
    <MarkSuppressed lists={lists}>
      <Box role="group" aria-labelledby={id} sx={{ minWidth: 0 }}>
        <Box sx={{ display: 'flex', alignItems: 'baseline', gap: 1, mb: 0.5 }}>
          <Box id={id} component="span" sx={{ fontWeight: 600 }}>
            {text('massNotifications.contacts')}
          </Box>
          {value.length > 0 && (
            <Box component="span" sx={{ color: 'text.secondary' }}>
              {text('massNotifications.chosen', { smart_count: value.length })}
            </Box>
          )}
        </Box>
        <Autocomplete
          size="small"
          options={options}
          loading={isSearching && !failed}
          loadingText={text('people.searching')}
          value={null}
          inputValue={typed}
          onOpen={() => setOpen(true)}
          onClose={() => setOpen(false)}
          // A choice clears the field for the next search.
          onInputChange={(_, words, reason) => setTyped(reason === 'input' ? words : '')}
          onChange={(_, contact) => {
            if (!contact) return
            meet(contact)
            onChange([contact.email, ...value])
          }}
          getOptionLabel={({ name, email }) => name || email}
          getOptionKey={({ id: key }) => key}
          // The server has filtered already.
          filterOptions={(all) => all}
          disableCloseOnSelect
          autoHighlight
          noOptionsText={text(nobody)}
          openText={text('people.openList')}
          closeText={text('people.closeList')}
          renderOption={({ key, ...props }, contact) => (
            <li key={key} {...props}>
              <Line contact={contact} email={contact.email} />
              <SuppressionMark addresses={[contact.email, contact.phone]} isStatic />
            </li>
          )}
          renderInput={(params) => (
            <TextField
              {...params}
              inputRef={(element: HTMLInputElement | null) => {
                box.current = element
                if (typeof inputRef === 'function') inputRef(element)
              }}
              placeholder={label}
              error={error !== undefined || failed}
              helperText={error ?? (failed && text('massNotifications.contactsNotLoaded'))}
              slotProps={{
                ...params.slotProps,
                htmlInput: { ...params.slotProps.htmlInput, 'aria-label': label },
              }}
            />
          )}
        />
        {failed && (
          <Button size="small" onClick={() => void refetch()}>
            {text('kit.retry')}
          </Button>
        )}
        {value.length > 0 && <Chosen emails={value} byEmail={byEmail} onRemove={remove} />}
      </Box>
    </MarkSuppressed>
  )
}
