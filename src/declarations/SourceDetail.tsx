import AddAlertRounded from '@mui/icons-material/AddAlertRounded'
import CheckRounded from '@mui/icons-material/CheckRounded'
import ErrorOutlineRounded from '@mui/icons-material/ErrorOutlineRounded'
import RemoveRounded from '@mui/icons-material/RemoveRounded'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import useMediaQuery from '@mui/material/useMediaQuery'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link as RouterLink } from 'react-router-dom'

import { declarationsApi } from '#contract/declarations/api.ts'
import {
  type CallResult,
  DECLARE_PATH,
  type DeclarationSource,
  SEVERITY_WORDS,
  type SourceCall,
} from '#contract/declarations/schema.ts'
import { call } from '#providers/api.ts'
import { declarationDetail as words } from '#providers/i18n/declaration-detail.ts'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { CopyButton } from '#src/kit/form/CopyButton.tsx'
import { PHONE } from '#src/kit/layout/breakpoints.ts'
import { Facts } from '#src/kit/layout/Facts.tsx'
import { StatusChip } from '#src/kit/layout/StatusChip.tsx'
import { ListSkeleton } from '#src/kit/list/ListSkeleton.tsx'
import { Pager } from '#src/kit/list/Pager.tsx'
import { MINUTE } from '#src/kit/time/clock.ts'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

const PAGE = 10

const MARKS = {
  DECLARED: { icon: AddAlertRounded, tone: 'warning' },
  UPDATED: { icon: CheckRounded, tone: 'success' },
  UNCHANGED: { icon: RemoveRounded, tone: 'neutral' },
  REFUSED: { icon: ErrorOutlineRounded, tone: 'error' },
} as const satisfies { readonly [R in CallResult]: object }

const ROW = {
  display: 'grid',
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: '132px 132px minmax(0, 3fr) minmax(0, 2fr)' },
  columnGap: 2,
  rowGap: 0.5,
  alignItems: 'center',
  py: 1,
} as const
const Cell = ({ children }: { children: ReactNode }) => (
  <Box role="cell" sx={{ minWidth: 0, overflowWrap: 'anywhere', '&:empty': { display: 'none' } }}>
    {children}
  </Box>
)

function CallRow({ made: { at, result, sentence, incidentId, incidentTitle } }: { made: SourceCall }) {
  const { icon, tone } = MARKS[result]
  return (
    <Box role="row" sx={{ ...ROW, borderTop: 1, borderColor: 'divider' }}>
      <Cell>
        <Time at={at} short />
      </Cell>
      <Cell>
        <StatusChip label={words.results[result]} icon={icon} tone={tone} />
      </Cell>
      <Cell>{sentence}</Cell>
      <Cell>
        {incidentId !== null && incidentTitle !== null && (
          <Link component={RouterLink} to={`/incidents/${incidentId}`} dir="auto">
            {incidentTitle}
          </Link>
        )}
      </Cell>
    </Box>
  )
}

/** The last calls of a source, in pages. */
function Calls({ id }: { id: string }) {
  const [page, setPage] = useState(1)
  const isPhone = useMediaQuery(PHONE)
  const { data, error, refetch } = useQuery({
    queryKey: ['declarations', id, page],
    queryFn: ({ signal }) =>
      call(declarationsApi.calls, {
        params: { id },
        query: { offset: (page - 1) * PAGE, size: PAGE },
        signal,
      }),
    placeholderData: keepPreviousData,
    // Calls are no events of the live socket.
    refetchInterval: MINUTE / 2,
  })
  if (!data)
    return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <ListSkeleton phone />
  if (data.total === 0) return <Box sx={{ color: 'text.secondary' }}>{words.noCalls}</Box>
  return (
    <>
      <Box role="table" aria-label={words.calls}>
        <Box
          role="row"
          sx={{ ...ROW, display: { xs: 'none', lg: 'grid' }, fontSize: '0.8125rem', color: 'text.secondary' }}
        >
          {[words.time, words.result, words.outcome, words.incident].map((name) => (
            <Box key={name} role="columnheader">
              {name}
            </Box>
          ))}
        </Box>
        {data.data.map((made) => (
          <CallRow key={made.id} made={made} />
        ))}
      </Box>
      <Pager page={page} perPage={PAGE} total={data.total} setPage={setPage} phone={isPhone} />
    </>
  )
}

/** A source: its address, what it declares, and its last calls. */
export function SourceDetail({ record: source }: { record: DeclarationSource }) {
  const text = useText()
  const [isNotCopied, setNotCopied] = useState(false)
  const address = `${location.origin}${DECLARE_PATH}/${source.addressId}`
  const named = SEVERITY_WORDS.flatMap(([severity, field]) =>
    source[field] === '' ? [] : [`${source[field]} → ${text(`incidents.severities.${severity}`)}`],
  )
  const otherwise = words.otherwise(text(`incidents.severities.${source.defaultSeverity}`))
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2.5 }}>
      <Facts
        facts={[
          [words.address, address],
          [words.form, words.forms[source.form]],
          [words.proof, words.proofs[source.form]],
          [words.declares, source.isTabletop ? words.exercises : words.incidents],
          [words.severities, [...named, otherwise].join('; ')],
        ]}
      />
      <div>
        <CopyButton value={address} label={words.copy} onFail={() => setNotCopied(true)} />
        {isNotCopied && (
          <Alert severity="error" sx={{ mt: 1 }}>
            {words.notCopied}
          </Alert>
        )}
      </div>
      <section>
        <Typography variant="h3">{words.calls}</Typography>
        <Box sx={{ mb: 1, color: 'text.secondary' }}>{words.callsHelp}</Box>
        <Calls key={source.id} id={source.id} />
      </section>
    </Box>
  )
}
