import EditRounded from '@mui/icons-material/EditRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import { useState } from 'react'
import { Link } from 'react-router-dom'

import { fullName } from '#contract/kit/names.ts'
import type { ReadinessPerson } from '#contract/readiness/schema.ts'
import { DialogFrame } from '#src/kit/feedback/DialogFrame.tsx'
import { EmptyState } from '#src/kit/feedback/EmptyState.tsx'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { ListSkeleton } from '#src/kit/list/ListSkeleton.tsx'
import { PhoneLinks } from '#src/kit/list/PhoneLinks.tsx'
import { SearchBox } from '#src/kit/list/SearchBox.tsx'
import { useText } from '#src/kit/useText.ts'

import { type PeopleFilter, usePeopleOf } from './queries.ts'

const SEARCH_MAX = 255

function Person({ person }: { person: ReadinessPerson }) {
  const text = useText()
  const { uuid, email, phones, gaps, bounce } = person
  const name = fullName(person) || email
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: 'minmax(0, 1fr) auto', sm: 'minmax(0, 4fr) minmax(0, 4fr) auto' },
        columnGap: 2,
        alignItems: 'center',
        py: 1,
        overflowWrap: 'anywhere',
      }}
    >
      <Box sx={{ minWidth: 0 }}>
        <Box dir="auto" sx={{ fontWeight: 600 }}>
          {name}
        </Box>
        <Box sx={{ color: 'text.secondary' }}>{email}</Box>
        {phones.length > 0 && <PhoneLinks phones={phones.map((phone) => [phone] as const)} />}
      </Box>
      <Box sx={{ minWidth: 0, gridColumn: { xs: '1', sm: 'auto' }, gridRow: { xs: '2', sm: 'auto' } }}>
        {gaps.length === 0
          ? text('readiness.nothingLacks')
          : gaps.map((gap) => text(`readiness.gaps.${gap}`)).join(' · ')}
        {bounce && (
          <Box sx={{ color: 'text.secondary' }}>
            {bounce.address}
            {bounce.reason !== null && `: ${bounce.reason}`}
          </Box>
        )}
      </Box>
      <IconButton
        component={Link}
        to={`/user-admin?edit=${uuid}`}
        aria-label={text('readiness.edit', { name })}
      >
        <EditRounded />
      </IconButton>
    </Box>
  )
}

interface Props {
  title: string
  filter: PeopleFilter
  onClose: () => void
}
/** The people behind a number, with what each lacks and the way to mend it. */
export function PeopleDialog({ title, filter, onClose }: Props) {
  const text = useText()
  const [q, setQ] = useState('')
  const { rows, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = usePeopleOf(filter, q)
  return (
    <DialogFrame
      title={title}
      head={
        <SearchBox
          label={text('readiness.searchPeople')}
          value={q}
          onSearch={(typed) => setQ(typed.slice(0, SEARCH_MAX))}
        />
      }
      isTall
      onClose={onClose}
      actions={<Button onClick={onClose}>{text('kit.close')}</Button>}
    >
      {!rows && !error && <ListSkeleton phone />}
      {!rows && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {rows?.length === 0 && <EmptyState text={text('readiness.noPeople')} />}
      {rows && rows.length > 0 && (
        <Box
          component="ul"
          aria-label={title}
          sx={{ m: 0, p: 0, listStyle: 'none', '& > li + li': { borderTop: 1, borderColor: 'divider' } }}
        >
          {rows.map((person) => (
            <Person key={person.uuid} person={person} />
          ))}
        </Box>
      )}
      {hasNextPage && (
        <Button loading={isFetchingNextPage} onClick={() => void fetchNextPage()} sx={{ mt: 1 }}>
          {text('readiness.showMore')}
        </Button>
      )}
    </DialogFrame>
  )
}
