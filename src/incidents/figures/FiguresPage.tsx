import ArrowBackRounded from '@mui/icons-material/ArrowBackRounded'
import BarChartRounded from '@mui/icons-material/BarChartRounded'
import DownloadRounded from '@mui/icons-material/DownloadRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import MenuItem from '@mui/material/MenuItem'
import Skeleton from '@mui/material/Skeleton'
import TextField from '@mui/material/TextField'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useLocaleState } from 'react-admin'
import { Suspense, useState } from 'react'
import { Link } from 'react-router-dom'

import { incidentFiguresApi } from '#contract/incident-figures/api.ts'
import type { FiguresGroup, IncidentFigures } from '#contract/incident-figures/schema.ts'
import { DAY_MS } from '#contract/kit/time.ts'
import { call } from '#providers/api.ts'
import { incidentFigures as words, type Measure } from '#providers/i18n/incident-figures.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { useAddress, withChanges } from '#src/kit/browser/useAddress.ts'
import { EmptyState } from '#src/kit/feedback/EmptyState.tsx'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { PageTitle } from '#src/kit/layout/PageTitle.tsx'
import { useText } from '#src/kit/useText.ts'

import { FiguresTable, type GroupName, saveFigures } from './FiguresTable.tsx'

const BarChart = lazy(async () => ({ default: (await import('#src/kit/layout/BarChart.tsx')).BarChart }))

const GROUPS = Object.keys(words.groups) as GroupName[]
const MEASURES = Object.keys(words.measures) as Measure[]
const PERIODS = Object.keys(words.periods) as (keyof typeof words.periods)[]
const DEFAULTS = { days: '365', what: 'incidents', measure: 'resolution', by: 'months' } as const

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** The choices in the address, so that a link shows the same. */
function useChoices() {
  const [params, setParams] = useAddress()
  const one = <T extends string>(name: keyof typeof DEFAULTS, from: readonly T[]): T =>
    from.find((value) => value === params.get(name)) ?? (DEFAULTS[name] as T)
  return {
    days: one('days', PERIODS),
    what: one('what', ['incidents', 'exercises'] as const),
    measure: one('measure', MEASURES),
    by: one('by', GROUPS),
    choose: (name: keyof typeof DEFAULTS, value: string) =>
      setParams((now) => withChanges(now, { [name]: value === DEFAULTS[name] ? '' : value }), {
        replace: true,
      }),
  }
}
type Choices = ReturnType<typeof useChoices>

/** The name of a group: its month in words, its severity, its kind. */
function useGroupName() {
  const [locale] = useLocaleState()
  return (by: GroupName, { key, name }: FiguresGroup): string => {
    if (by === 'severities') return words.severities[key as keyof typeof words.severities]
    if (by === 'kinds') return name ?? words.noKind
    const month = new Date(`${key}-01T12:00:00Z`)
    return month.toLocaleDateString(locale, { month: 'short', year: 'numeric', timeZone: 'UTC' })
  }
}

interface ChoiceProps<T extends string> {
  label: string
  value: T
  options: readonly (readonly [value: T, name: string])[]
  onChoose: (value: string) => void
}
function Choice<T extends string>({ label, value, options, onChoose }: ChoiceProps<T>) {
  return (
    <TextField
      select
      label={label}
      value={value}
      onChange={({ target }) => onChoose(target.value)}
      sx={{ flex: { xs: '1 1 140px', sm: '0 1 200px' }, minWidth: 0 }}
    >
      {options.map(([one, name]) => (
        <MenuItem key={one} value={one}>
          {name}
        </MenuItem>
      ))}
    </TextField>
  )
}

function Choose({ days, what, measure, by, choose }: Choices) {
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5 }}>
      <Choice
        label={words.period}
        value={days}
        options={PERIODS.map((one) => [one, words.periods[one]])}
        onChoose={(value) => choose('days', value)}
      />
      <Choice
        label={words.what}
        value={what}
        options={[
          ['incidents', words.incidents],
          ['exercises', words.exercises],
        ]}
        onChoose={(value) => choose('what', value)}
      />
      <Choice
        label={words.measure}
        value={measure}
        options={MEASURES.map((one) => [one, words.measures[one]])}
        onChoose={(value) => choose('measure', value)}
      />
      <Choice
        label={words.group}
        value={by}
        options={GROUPS.map((one) => [one, words.groups[one]])}
        onChoose={(value) => choose('by', value)}
      />
    </Box>
  )
}

function Shown({ figures, choices: { measure, by } }: { figures: IncidentFigures; choices: Choices }) {
  const nameOf = useGroupName()
  const bars = figures[by].flatMap((group) => {
    const span = group[measure]
    return span === null ? [] : [{ id: group.key, name: nameOf(by, group), value: Math.round(span.median) }]
  })
  return (
    <>
      {bars.length > 0 && (
        <Suspense fallback={<Skeleton variant="rounded" height={320} />}>
          <BarChart
            title={words.chart(measure, words.groups[by])}
            text={words.chartText}
            names={words.groups[by]}
            values={words.minutes}
            bars={bars}
          />
        </Suspense>
      )}
      <FiguresTable figures={figures} by={by} nameOf={nameOf} />
    </>
  )
}

/** The times that incidents took, across all of a period (decision 126). */
export function FiguresPage() {
  const text = useText()
  const choices = useChoices()
  const nameOf = useGroupName()
  const [now] = useState(() => Date.now())
  const [from, to] = [dayOf(now - Number(choices.days) * DAY_MS), dayOf(now + DAY_MS)]
  const isTabletop = choices.what === 'exercises' ? 'true' : 'false'
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['incident-figures', from, to, isTabletop],
    queryFn: ({ signal }) => call(incidentFiguresApi.get, { query: { from, to, isTabletop }, signal }),
    placeholderData: keepPreviousData,
  })
  return (
    <Box sx={{ display: 'grid', gap: 2, maxWidth: 1040, mx: 'auto', p: { xs: 2, md: 3 } }}>
      <PageTitle title={words.title} />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'space-between', gap: 1 }}>
        <Button component={Link} to="/incidents" color="inherit" startIcon={<ArrowBackRounded />}>
          {words.back}
        </Button>
        <Button
          variant="outlined"
          startIcon={<DownloadRounded />}
          disabled={!data || data.all.count === 0}
          onClick={() => data && void saveFigures(data, nameOf, words.file(from, to))}
        >
          {words.save}
        </Button>
      </Box>
      <Choose {...choices} />
      {!data && error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton variant="rounded" height={320} aria-label={text('kit.loading')} />
      ) : data.all.count === 0 ? (
        <EmptyState icon={<BarChartRounded />} text={words.none} />
      ) : (
        <Box sx={{ display: 'grid', gap: 2, minWidth: 0, opacity: isPlaceholderData ? 0.6 : 1 }}>
          <Shown figures={data} choices={choices} />
        </Box>
      )}
    </Box>
  )
}
