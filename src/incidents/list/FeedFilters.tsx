import Box from '@mui/material/Box'
import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'

import { SEVERITIES } from '#contract/incidents/schema.ts'
import { useAddress, withChanges } from '#src/kit/browser/useAddress.ts'
import { useText } from '#src/kit/useText.ts'
import { type FeedFilter, FEED_SPANS } from '../incidentFeed.ts'

const STATES = ['active', 'resolved'] as const
const KINDS = ['incident', 'exercise'] as const

const oneOf = <T extends string>(known: readonly T[], value: string | null): T | undefined =>
  known.find((one) => one === value)

/** Values by field in the address; undefined for anything else. */
function valuesIn(written: string | null): FeedFilter['fieldValues'] {
  if (!written) return undefined
  try {
    const read = JSON.parse(written) as unknown
    const entries = Object.entries(read ?? {}).filter(
      (one): one is [string, string] => typeof one[1] === 'string',
    )
    return entries.length > 0 ? Object.fromEntries(entries) : undefined
  } catch {
    return undefined
  }
}

/** The filter in the address, and its setter. Unknown values are ignored. */
export function useFeedFilter() {
  const [params, setParams] = useAddress()
  const filter: FeedFilter = {
    state: oneOf(STATES, params.get('state')),
    severity: oneOf(SEVERITIES, params.get('severity')),
    kind: oneOf(KINDS, params.get('kind')),
    since: oneOf(FEED_SPANS, params.get('since')),
    kindId: params.get('of') ?? undefined,
    fieldValues: valuesIn(params.get('own')),
  }
  const change = (changes: Readonly<Record<string, string>>) =>
    setParams(
      (now) => withChanges(now, changes),
      // The filter is kept in the address, so that Back from an incident restores it.
      { replace: true },
    )
  return { filter, change, isFiltered: Object.values(filter).some((value) => value !== undefined) }
}

interface Props {
  filter: FeedFilter
  onChange: (changes: Readonly<Record<string, string>>) => void
}

/** Filters of the feed: state, severity, kind and age. */
export function FeedFilters({ filter, onChange }: Props) {
  const text = useText()
  const fields = [
    ['state', STATES.map((state) => [state, text(`incidents.feedStates.${state}`)] as const)],
    ['severity', SEVERITIES.toReversed().map((one) => [one, text(`incidents.severities.${one}`)] as const)],
    ['kind', KINDS.map((kind) => [kind, text(`incidents.${kind}`)] as const)],
    ['since', FEED_SPANS.map((span) => [span, text(`incidents.feedSpans.${span}`)] as const)],
  ] as const
  return (
    <Box
      role="group"
      aria-label={text('incidents.feedFilters')}
      sx={{ display: 'grid', gap: 1, gridTemplateColumns: { xs: '1fr 1fr', sm: 'repeat(4, 1fr)' } }}
    >
      {fields.map(([name, choices]) => (
        <TextField
          key={name}
          select
          value={filter[name] ?? ''}
          onChange={(event) => onChange({ [name]: event.target.value })}
          slotProps={{
            select: {
              displayEmpty: true,
              SelectDisplayProps: { 'aria-label': text(`incidents.feedFilter.${name}`) },
            },
          }}
        >
          <MenuItem value="">{text(`incidents.feedAll.${name}`)}</MenuItem>
          {choices.map(([value, label]) => (
            <MenuItem key={value} value={value}>
              {label}
            </MenuItem>
          ))}
        </TextField>
      ))}
    </Box>
  )
}
