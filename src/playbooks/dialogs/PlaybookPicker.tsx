import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useLocaleState } from 'react-admin'
import { useId, useState } from 'react'

import type { PlaybookSummary } from '#contract/playbooks/schema.ts'
import { messageOf } from '#providers/problem.ts'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { useSubmitOnce } from '#src/kit/form/useSubmitOnce.ts'
import { ListSkeleton } from '#src/kit/list/ListSkeleton.tsx'
import { Pager } from '#src/kit/list/Pager.tsx'
import { PHONE } from '#src/kit/layout/breakpoints.ts'
import { SearchBox } from '#src/kit/list/SearchBox.tsx'
import { formatNumber } from '#src/kit/time/formats.ts'
import { useText } from '#src/kit/useText.ts'
import { useCategories } from '../useCategories.ts'

import { CategorySelect } from './CategorySelect.tsx'
import { fetchFoundIds, type PlaybookFilter, usePlaybookPage } from './queries.ts'
import { ROWS } from './rowsValues.ts'

/** Choices of rows per page; few on a phone, so that the next field is near. */
const SIZES = [25, 100] as const
const PHONE_SIZES = [10] as const

/** The selected playbooks, kept across filters and pages. */
export function usePlaybookChoice() {
  const [ids, setIds] = useState<ReadonlySet<string>>(() => new Set())
  return {
    ids,
    set: (some: Iterable<string>, chosen: boolean) =>
      setIds((before) => {
        const after = new Set(before)
        for (const id of some) {
          if (chosen) after.add(id)
          else after.delete(id)
        }
        return after
      }),
    clear: () => setIds(new Set()),
  }
}
type PlaybookChoice = ReturnType<typeof usePlaybookChoice>

function Row({ playbook, choice }: { playbook: PlaybookSummary; choice: PlaybookChoice }) {
  const text = useText()
  const id = useId()
  return (
    <Box
      component="li"
      sx={{ display: 'flex', alignItems: 'center', minHeight: 44, contentVisibility: 'auto' }}
    >
      <Checkbox
        id={id}
        checked={choice.ids.has(playbook.id)}
        onChange={(_, checked) => choice.set([playbook.id], checked)}
      />
      <Box component="label" htmlFor={id} sx={{ flex: 1, minWidth: 0, py: 0.75, pr: 1.5, cursor: 'pointer' }}>
        <Box component="bdi" sx={{ overflowWrap: 'anywhere' }}>
          {playbook.name}
        </Box>
        <Box component="span" sx={{ display: 'block', fontSize: '0.75rem', color: 'text.secondary' }}>
          {text('playbookDialogs.itemsCount', { smart_count: playbook.activitiesCount })}
        </Box>
      </Box>
    </Box>
  )
}

interface SelectionProps {
  filter: PlaybookFilter
  total: number
  choice: PlaybookChoice
}

/** Number of selected playbooks, and buttons that select all matches or none. */
function Selection({ filter, total, choice }: SelectionProps) {
  const text = useText()
  const [locale] = useLocaleState()
  const [problem, setProblem] = useState<string>()
  const { busy, submit: selectAll } = useSubmitOnce(
    async () => {
      setProblem(undefined)
      choice.set(await fetchFoundIds(filter), true)
    },
    (error) => setProblem(messageOf(error, text('kit.wentWrong'))),
  )
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1, minHeight: 36 }}>
        <Box component="span" aria-live="polite" sx={{ mr: 'auto', fontWeight: 600 }}>
          {text('playbookDialogs.selected', { smart_count: choice.ids.size })}
        </Box>
        {total > 0 && (
          <Button size="small" loading={busy} onClick={selectAll}>
            {text('playbookDialogs.selectAll', { count: formatNumber(locale, total) })}
          </Button>
        )}
        {choice.ids.size > 0 && (
          <Button size="small" color="inherit" onClick={choice.clear}>
            {text('playbookDialogs.clear')}
          </Button>
        )}
      </Box>
      {problem && <Alert severity="error">{problem}</Alert>}
    </>
  )
}

interface FoundProps {
  query: ReturnType<typeof usePlaybookPage>
  /** True if a filter is set. */
  isNarrowed: boolean
  choice: PlaybookChoice
}

/** Rows of one page. */
function Found({ query: { data, error, refetch }, isNarrowed, choice }: FoundProps) {
  const text = useText()
  if (!data)
    return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <ListSkeleton phone />
  if (data.total === 0)
    return (
      <Box sx={{ py: 4, textAlign: 'center', color: 'text.secondary' }}>
        {text(isNarrowed ? 'playbookDialogs.noneFound' : 'playbookDialogs.noPlaybooks')}
      </Box>
    )
  return (
    <Box component="ul" aria-label={text('playbookDialogs.playbooks')} sx={ROWS}>
      {data.items.map((playbook) => (
        <Row key={playbook.id} playbook={playbook} choice={choice} />
      ))}
    </Box>
  )
}

/** Selects playbooks from a list that is filtered and paged by the server (operations §2). */
export function PlaybookPicker({ choice }: { choice: PlaybookChoice }) {
  const text = useText()
  const phone = useMediaQuery(PHONE, { noSsr: true })
  const sizes: readonly [number, ...number[]] = phone ? PHONE_SIZES : SIZES
  const { data: categories = [] } = useCategories()
  const [filter, setFilter] = useState<PlaybookFilter>({})
  const [turn, setTurn] = useState<{ page: number; size: number }>({
    page: 1,
    size: sizes[0],
  })
  const narrow = (patch: PlaybookFilter) => {
    setFilter({ ...filter, ...patch })
    setTurn({ ...turn, page: 1 })
  }
  const query = usePlaybookPage(filter, turn.page, turn.size)
  const { data } = query
  const total = data?.total ?? 0
  const pages = Math.max(1, Math.ceil(total / turn.size))
  // Deleted playbooks may have emptied the last page.
  if (turn.page > pages && data) setTurn({ ...turn, page: pages })
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 1.5 }}>
      <Box sx={{ display: 'grid', gridTemplateColumns: { sm: '240px 1fr' }, alignItems: 'end', gap: 1.5 }}>
        <CategorySelect
          label={text('playbookDialogs.category')}
          categories={categories}
          value={filter.categoryId}
          onChange={(categoryId) => narrow({ categoryId })}
          hasAll
        />
        <SearchBox
          label={text('playbookDialogs.find')}
          value={filter.q ?? ''}
          onSearch={(q) => narrow({ q })}
        />
      </Box>
      <Selection filter={filter} total={total} choice={choice} />
      <Found
        query={query}
        isNarrowed={Boolean(filter.q) || filter.categoryId !== undefined}
        choice={choice}
      />
      {total > sizes[0] && (
        <Pager
          page={turn.page}
          perPage={turn.size}
          total={total}
          setPage={(page) => setTurn({ ...turn, page })}
          setPerPage={(size) => setTurn({ page: 1, size })}
          sizes={sizes}
          phone={phone}
        />
      )}
    </Box>
  )
}
