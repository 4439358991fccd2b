import Box from '@mui/material/Box'
import Chip from '@mui/material/Chip'
import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import { memo, type ReactNode, useMemo } from 'react'

import type { NotifiedPerson, Recipient } from '#contract/mass-notifications/schema.ts'
import { PhoneLinks } from '#src/kit/list/PhoneLinks.tsx'
import { useText } from '#src/kit/useText.ts'

import { Delivered } from './Delivered.tsx'
import { PersonDetails } from './PersonDetails.tsx'

/** View of the people: contacts show their lists, members their group. */
export type PeopleView = 'contacts' | 'members' | 'everybody'
/** A person to be notified, or a recipient with delivery states. */
export type TablePerson = NotifiedPerson | Recipient

/** Number of rows from which the table is virtualised. */
const LONG = 100
const ESTIMATE = 45
const COLUMNS = 'minmax(0, 3fr) minmax(0, 4fr) 160px minmax(0, 4fr)'
const ROW = {
  display: 'grid',
  gridTemplateColumns: {
    xs: 'minmax(0, 1fr)',
    md: COLUMNS,
  },
  columnGap: 2,
  rowGap: 0.5,
  alignItems: 'center',
  px: { xs: 2, sm: 3 },
  py: 1.25,
  borderBottom: 1,
  borderColor: 'divider',
  overflowWrap: 'anywhere',
} as const

const WITH_DELIVERY = {
  ...ROW,
  gridTemplateColumns: { ...ROW.gridTemplateColumns, md: `${COLUMNS} minmax(0, 5fr)` },
} as const

const Note = ({ children }: { children: ReactNode }) => (
  <Box component="em" sx={{ color: 'text.secondary' }}>
    {children}
  </Box>
)

function Via({ person: { lists, targeted } }: { person: NotifiedPerson }) {
  const text = useText()
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.5 }}>
      {lists.map((list) => (
        <Chip key={list} size="small" label={<bdi>{list}</bdi>} />
      ))}
      {targeted && (
        <Chip size="small" variant="outlined" color="primary" label={text('massNotifications.targeted')} />
      )}
    </Box>
  )
}

interface CellsProps extends Pick<Props, 'view' | 'notificationId'> {
  person: TablePerson
}
const Cells = memo(function Cells({ person, view, notificationId }: CellsProps) {
  const text = useText()
  const { name, email, phone, shqGroupName } = person
  return (
    <>
      <Box role="cell" dir="auto" sx={{ fontWeight: 600 }}>
        {name || <Note>{text('massNotifications.noName')}</Note>}
      </Box>
      <Box role="cell">{email || <Note>{text('massNotifications.noEmail')}</Note>}</Box>
      <Box role="cell">
        {phone ? <PhoneLinks phones={[[phone]]} /> : <Note>{text('massNotifications.noPhone')}</Note>}
      </Box>
      <Box role="cell">
        {view === 'contacts' || (view === 'everybody' && shqGroupName === null) ? (
          <Via person={person} />
        ) : (
          <bdi>{shqGroupName ?? <Note>{text('massNotifications.noGroup')}</Note>}</bdi>
        )}
      </Box>
      {'messages' in person && (
        <Box role="cell">
          <Delivered messages={person.messages} />
          {notificationId !== undefined && (
            <PersonDetails
              notificationId={notificationId}
              person={person.person}
              name={name || email || phone || ''}
            />
          )}
        </Box>
      )}
    </>
  )
})

interface Props {
  label: string
  people: readonly TablePerson[]
  view: PeopleView
  /** The notification of recipients, whose messages can be opened. */
  notificationId?: string | undefined
  /** Scroll container of the table. */
  scroller: HTMLElement | null
}

/** The recipients of a notification, as a virtualised table. */
export function PeopleTable({ label, people, view, notificationId, scroller }: Props) {
  const text = useText()
  const long = people.length >= LONG
  // oxlint-disable-next-line react/incompatible-library -- what it returns is used here and nowhere else
  const virtualizer = useVirtualizer({
    count: people.length,
    enabled: long,
    getScrollElement: () => scroller,
    estimateSize: () => ESTIMATE,
    overscan: 10,
  })
  const all = useMemo(
    () => people.map((_, index): Pick<VirtualItem, 'index' | 'start'> => ({ index, start: 0 })),
    [people],
  )
  const items = long ? virtualizer.getVirtualItems() : all
  const last = view === 'members' ? 'massNotifications.group' : 'massNotifications.via'
  const told = people.some((person) => 'messages' in person)
  const row = told ? WITH_DELIVERY : ROW
  const headings = [
    text('massNotifications.name'),
    text('massNotifications.email'),
    text('massNotifications.phone'),
    text(last),
    ...(told ? [text('massNotifications.delivery')] : []),
  ]
  return (
    <Box role="table" aria-label={label} aria-rowcount={people.length + 1}>
      <Box role="rowgroup" sx={{ position: 'sticky', top: 0, zIndex: 1, bgcolor: 'background.paper' }}>
        <Box
          role="row"
          aria-rowindex={1}
          sx={{
            ...row,
            display: { xs: 'none', md: 'grid' },
            py: 1,
            fontWeight: 600,
            color: 'text.secondary',
          }}
        >
          {headings.map((heading) => (
            <span key={heading} role="columnheader">
              {heading}
            </span>
          ))}
        </Box>
      </Box>
      <Box role="rowgroup" sx={{ position: 'relative', ...(long && { height: virtualizer.getTotalSize() }) }}>
        {items.map(({ index, start }) => (
          <Box
            key={index}
            role="row"
            aria-rowindex={index + 2}
            data-index={index}
            ref={long ? virtualizer.measureElement : undefined}
            sx={row}
            style={
              long
                ? { position: 'absolute', insetInline: 0, top: 0, transform: `translateY(${start}px)` }
                : undefined
            }
          >
            <Cells person={people[index]!} view={view} notificationId={notificationId} />
          </Box>
        ))}
      </Box>
    </Box>
  )
}
