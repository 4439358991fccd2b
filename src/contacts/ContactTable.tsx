import ContactsRounded from '@mui/icons-material/ContactsRounded'
import DeleteRounded from '@mui/icons-material/DeleteRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useListContext } from 'react-admin'
import { type ReactNode, useMemo } from 'react'

import { contactsApi } from '#contract/contacts/api.ts'
import type { Contact } from '#contract/contacts/schema.ts'
import { EmptyState } from '#src/kit/feedback/EmptyState.tsx'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { NotRefreshed } from '#src/kit/feedback/NotRefreshed.tsx'
import { ListSkeleton } from '#src/kit/list/ListSkeleton.tsx'
import { readablePhones } from '#src/kit/phones.ts'
import { RecordTable } from '#src/kit/resource/RecordTable.tsx'
import {
  type AnyTable,
  type Column,
  type RowOf,
  type TableDefinition,
  tableOf,
} from '#src/kit/resource/resource.ts'
import { useColumnChoice } from '#src/kit/resource/useColumnChoice.ts'
import { useRowActions } from '#src/kit/resource/useRowActions.tsx'
import { useText } from '#src/kit/useText.ts'
import { MarkSuppressed } from '#src/suppressions/MarkSuppressed.tsx'
import { EmailCell, Markable } from '#src/suppressions/SuppressionMark.tsx'

import { PhoneCell, phonesOf } from './PhoneCell.tsx'
import { CONTACTS, useRefreshContacts } from './queries.ts'

const api = { list: contactsApi.asList, remove: contactsApi.remove, restore: contactsApi.restore }

const COLUMNS: readonly Column<RowOf<typeof api>>[] = [
  { field: 'name', label: 'contacts.name', flex: 2, minWidth: 140 },
  {
    field: 'email',
    label: 'contacts.email',
    flex: 3,
    minWidth: 180,
    card: 'line',
    render: ({ email }) => <EmailCell email={email} />,
  },
  {
    field: 'phone',
    label: 'contacts.phone',
    flex: 3,
    minWidth: 184,
    card: 'line',
    text: (contact) => readablePhones(phonesOf(contact)),
    render: (contact) => (
      <Markable isNarrow addresses={[contact.phone, contact.secondPhone]}>
        <PhoneCell contact={contact} />
      </Markable>
    ),
  },
]

const CONTACTS_OF_A_LIST: TableDefinition<typeof api> = {
  name: CONTACTS,
  title: 'contacts.title',
  icon: ContactsRounded,
  api,
  nameOf: ({ name, email }) => name || email,
  columns: COLUMNS,
  sort: ['name', 'ASC'],
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
      undo: 'restore',
    },
  ],
}
export const IN_A_LIST = tableOf(CONTACTS_OF_A_LIST)
/** Table of the contacts found in all lists. */
export const FOUND = tableOf<typeof api>({
  ...CONTACTS_OF_A_LIST,
  columns: [
    ...COLUMNS,
    {
      field: 'lists',
      label: 'contacts.lists',
      flex: 2,
      minWidth: 120,
      sortable: false,
      card: 'line',
      text: ({ lists }) => lists.join(', '),
    },
  ],
})

interface Props {
  definition: AnyTable
  label: string
  phone: boolean
  heading: ReactNode
  /** True if the lists beside the table could not be refreshed. */
  isStale: boolean
}

export function ContactTable({ definition, label, phone, heading, isStale }: Props) {
  const text = useText()
  const { data: rows, error, filterValues, setFilters } = useListContext<Contact>()
  const { measured, ...choice } = useColumnChoice(definition)
  const refresh = useRefreshContacts()
  const lists = useMemo(
    () => [(rows ?? []).flatMap(({ email, phone: first, secondPhone }) => [email, first, secondPhone])],
    [rows],
  )
  const { offers, dialogs } = useRowActions(definition, () => undefined, refresh)

  const placeholder = () => {
    if (!rows)
      return error ? (
        <ErrorState error={error} text={text('contacts.failed')} onRetry={refresh} />
      ) : (
        <ListSkeleton phone={phone} />
      )
    return (
      <EmptyState
        text={text('contacts.noneFound')}
        action={
          <Button variant="outlined" onClick={() => setFilters({ ...filterValues, q: '' })}>
            {text('grid.clearSearch')}
          </Button>
        }
      />
    )
  }
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2 }}>
      {((rows && error) || isStale) && <NotRefreshed onRetry={refresh} />}
      <MarkSuppressed lists={lists}>
        <RecordTable
          label={label}
          phone={phone}
          heading={heading}
          placeholder={(!rows || rows.length === 0) && placeholder()}
          definition={definition}
          offers={offers}
          choice={choice}
          measured={measured}
        />
      </MarkSuppressed>
      {dialogs}
    </Box>
  )
}
