import DeleteRounded from '@mui/icons-material/DeleteRounded'
import ContactsRounded from '@mui/icons-material/ContactsRounded'
import { type ReactNode, useDeferredValue, useMemo } from 'react'

import { contactsApi } from '#contract/contacts/api.ts'
import type { Contact } from '#contract/contacts/schema.ts'
import { readablePhone } from '#src/kit/time/formats.ts'
import { RecordTable } from '#src/kit/resource/RecordTable.tsx'
import type { AnyTable, Column, TableDefinition } from '#src/kit/resource/resource.ts'
import { useColumnChoice } from '#src/kit/resource/useColumnChoice.ts'
import type { ListState, useListState } from '#src/kit/resource/useListState.ts'
import { useRowActions } from '#src/kit/resource/useRowActions.tsx'

import { PhoneCell } from './PhoneCell.tsx'
import { CONTACTS } from './queries.ts'

const COLUMNS: readonly Column<Contact>[] = [
  { field: 'name', label: 'contacts.name', flex: 2, minWidth: 140 },
  { field: 'email', label: 'contacts.email', flex: 3, minWidth: 180, card: 'line' },
  {
    field: 'phone',
    label: 'contacts.phone',
    width: 184,
    card: 'line',
    text: ({ phone }) => readablePhone(phone),
    render: (contact) => <PhoneCell contact={contact} />,
  },
]
const LISTS: Column<Contact> = {
  field: 'lists',
  label: 'contacts.lists',
  flex: 2,
  minWidth: 120,
  sortable: false,
  card: 'line',
  text: ({ lists }) => lists.join(', '),
}

/** The table of a declared resource, without its page: the server answers contacts by list and not by page. */
const IN_A_LIST: TableDefinition<any, Contact> = {
  name: CONTACTS,
  title: 'contacts.title',
  icon: ContactsRounded,
  api: contactsApi,
  nameOf: ({ name, email }) => name || email,
  columns: COLUMNS,
  // Sorted here: the call has no order that could be named.
  sort: ['name' as never, 'ASC'],
  empty: 'contacts.empty',
  actions: [
    {
      call: 'remove',
      label: 'contacts.remove',
      icon: DeleteRounded,
      destructive: true,
      confirm: { title: 'contacts.removeTitle', text: 'contacts.removeText' },
      done: 'contacts.removed',
      failed: 'contacts.notRemoved',
    },
  ],
}
const FOUND: TableDefinition<any, Contact> = { ...IN_A_LIST, columns: [...COLUMNS, LISTS] }
export const CONTACT_LISTING: AnyTable = IN_A_LIST

/** The rows of one page. They come by name, in the order of the server's language. */
function pageOf(contacts: readonly Contact[], { sort: [field, order], page, size }: ListState): Contact[] {
  const first = (page - 1) * size
  if (field === 'name' && order === 'ASC') return contacts.slice(first, first + size)
  const by = (contact: Contact) => (field === 'email' ? contact.email : contact.phone) ?? ''
  const sorted = [...contacts]
  if (field !== 'name') sorted.sort((one, other) => (by(one) < by(other) ? -1 : by(one) > by(other) ? 1 : 0))
  if (order === 'DESC') sorted.reverse()
  return sorted.slice(first, first + size)
}

interface Props extends ReturnType<typeof useListState> {
  label: string
  contacts: readonly Contact[] | undefined
  /** Names the lists that each is in. */
  withLists: boolean
  isTurning: boolean
  phone: boolean
  heading: ReactNode
  instead: () => ReactNode
}

/** Contacts as a table, with a page of them on screen, however many there are. */
export function ContactTable({ contacts, withLists, state, change, sizes, isTurning, ...props }: Props) {
  const definition = withLists ? FOUND : IN_A_LIST
  const { measured, ...choice } = useColumnChoice(definition)
  const { offers, dialogs } = useRowActions(definition, () => undefined)
  const total = contacts?.length ?? 0
  const pages = Math.max(1, Math.ceil(total / state.size))
  const page = Math.min(state.page, pages)
  const shown = useMemo(() => contacts && pageOf(contacts, { ...state, page }), [contacts, state, page])
  const rows = useDeferredValue(shown)
  return (
    <>
      <RecordTable
        {...props}
        definition={definition}
        rows={rows}
        list={{ state, change, sizes, total, pages, isTurning }}
        offers={offers}
        choice={choice}
        measured={measured}
      />
      {dialogs}
    </>
  )
}
