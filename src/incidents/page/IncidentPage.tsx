import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import Tab from '@mui/material/Tab'
import Tabs from '@mui/material/Tabs'
import type { Theme } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import useMediaQuery from '@mui/material/useMediaQuery'
import { Suspense, useState } from 'react'

import type { Incident } from '#contract/incidents/schema.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { useAddress, withChanges } from '#src/kit/browser/useAddress.ts'
import { PageTitle } from '#src/kit/layout/PageTitle.tsx'
import { RichTextView } from '#src/kit/rich-text/RichTextView.tsx'
import { HEADER_HEIGHT } from '#src/kit/theme/theme.ts'
import { useText } from '#src/kit/useText.ts'

import { ActivityFeed, Activities } from '../feed/ActivityFeed.tsx'
import { LatestUpdate } from '../feed/LatestUpdate.tsx'
import { Analysis } from '../report/Analysis.tsx'
import { PlaybooksPanel } from '../playbooks/PlaybooksPanel.tsx'
import { AttachmentsPanel } from './AttachmentsPanel.tsx'
import { CheckInButton } from './CheckInButton.tsx'
import { ExerciseFrame } from './ExerciseFrame.tsx'
import { IncidentActions } from './IncidentActions.tsx'
import { IncidentChips } from '../list/IncidentChips.tsx'
import { IncidentFacts } from './IncidentFacts.tsx'
import { IncidentTitle } from './IncidentTitle.tsx'
import { OneIncident } from './OneIncident.tsx'
import { Card } from '#src/kit/layout/Card.tsx'
import { TeamStatus } from './TeamStatus.tsx'
import { COMMAND_VIEWS, type CommandView } from './commandViews.ts'

const NotificationsPanel = lazy(async () => ({
  default: (await import('./NotificationsPanel.tsx')).NotificationsPanel,
}))
const CommandStrip = lazy(async () => ({
  default: (await import('../command/CommandStrip.tsx')).CommandStrip,
}))

const KindDetails = lazy(async () => ({
  default: (await import('../kinds/KindDetails.tsx')).KindDetails,
}))

const LinkedIncidents = lazy(async () => ({
  default: (await import('../correct/LinkedIncidents.tsx')).LinkedIncidents,
}))

const IncidentFollowUps = lazy(async () => ({
  default: (await import('../follow-ups/IncidentFollowUps.tsx')).IncidentFollowUps,
}))

/** Height in pixels above which the description folds, so that the activity stays in reach. */
const FOLD_AT = 320
const ASIDE = ['people', 'files'] as const

function Loading() {
  const text = useText()
  return (
    <Box component="output" aria-label={text('kit.loading')} sx={{ display: 'grid', gap: 2 }}>
      <Skeleton variant="rounded" height={24} width="40%" />
      <Skeleton variant="rounded" height={32} width="70%" />
      <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: { lg: 'minmax(0, 1fr) 368px' } }}>
        <Box sx={{ display: 'grid', gap: 3 }}>
          <Skeleton variant="rounded" height={200} />
          <Skeleton variant="rounded" height={320} />
        </Box>
        <Skeleton variant="rounded" height={320} />
      </Box>
    </Box>
  )
}

function Story({ incident }: { incident: Incident }) {
  const text = useText()
  return (
    <Activities incident={incident}>
      <Suspense>
        <NotificationsPanel incident={incident} place="FIRST" />
      </Suspense>
      <Analysis incident={incident} />
      {!incident.isActive && (
        <Suspense>
          <IncidentFollowUps incident={incident} />
        </Suspense>
      )}
      <LatestUpdate incident={incident} />
      <Suspense>
        <NotificationsPanel incident={incident} place="LATER" />
      </Suspense>
      {/* Below an analysis the description needs its title. */}
      <Card heading="h3" title={text('incidents.description')} quiet={incident.isActive}>
        <RichTextView html={incident.fullText} foldAt={FOLD_AT} />
      </Card>
      <ActivityFeed incident={incident} />
    </Activities>
  )
}

function Head({ incident }: { incident: Incident }) {
  return (
    <Box sx={{ display: 'grid', gap: 1.5, mb: { xs: 2, lg: 3 } }}>
      <Box
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          alignItems: 'center',
          justifyContent: 'space-between',
          gap: 1.5,
        }}
      >
        <IncidentChips incident={incident} asksToCheckIn={false} />
        <IncidentActions incident={incident} />
      </Box>
      <Typography
        variant="h1"
        component="h2"
        dir="auto"
        sx={{ overflowWrap: 'anywhere', fontSize: { xs: '1.25rem', sm: '1.5rem' } }}
      >
        {incident.title}
      </Typography>
      <IncidentFacts incident={incident} />
      {(incident.kind !== null || Object.keys(incident.fieldValues).length > 0) && (
        <Suspense>
          <KindDetails incident={incident} />
        </Suspense>
      )}
      {(incident.mergedInto !== null || incident.duplicates.length > 0) && (
        <Suspense>
          <LinkedIncidents incident={incident} />
        </Suspense>
      )}
      <Suspense fallback={<Box sx={{ height: { xs: 44, sm: 32 } }} />}>
        <CommandStrip incidentId={incident.id} />
      </Suspense>
    </Box>
  )
}

type View = 'story' | (typeof ASIDE)[number] | CommandView['name']

/** The part of the page that the address names, and the visited ones, which stay mounted. */
function useViews(views: readonly View[]) {
  const [params, changeAddress] = useAddress()
  const view = views.find((name) => name === params.get('view')) ?? 'story'
  const [visited, setVisited] = useState<readonly View[]>([view])
  if (!visited.includes(view)) setVisited([...visited, view])
  const show = (next: View) =>
    changeAddress((now) => withChanges(now, { view: next === 'story' ? '' : next }), {
      replace: true,
      preventScrollReset: true,
    })
  return { view, visited, show }
}

/**
 * Tabs, with people and files in a column of their own on wide screens. Visited parts stay mounted and inactive ones
 * are hidden, so that input survives a rotation or a change of tab.
 */
function Body({ incident }: { incident: Incident }) {
  const text = useText()
  const wide = useMediaQuery((theme: Theme) => theme.breakpoints.up('lg'), { noSsr: true })
  const views: readonly View[] = ['story', ...(wide ? [] : ASIDE), ...COMMAND_VIEWS.map(({ name }) => name)]
  const { view, visited, show } = useViews(views)
  const tabbed = views.length > 1
  const panel = (name: View) =>
    tabbed && views.includes(name)
      ? {
          role: 'tabpanel',
          id: `panel-${name}`,
          'aria-labelledby': `view-${name}`,
          hidden: view !== name,
        }
      : {}
  return (
    <Box
      sx={{
        display: { lg: 'grid' },
        gap: 3,
        alignItems: 'start',
        gridTemplateColumns: { lg: 'minmax(0, 1fr) 368px' },
        // Leaves room for the bar at the bottom of the window.
        pb: wide || !incident.isActive ? 0 : { xs: 9, sm: incident.shouldCurrentUserCheckIn ? 9 : 0 },
      }}
    >
      {wide && <CheckInButton incident={incident} look="banner" />}
      {tabbed && (
        <Tabs
          value={view}
          onChange={(_, next: View) => show(next)}
          variant={wide ? 'standard' : 'scrollable'}
          allowScrollButtonsMobile
          aria-label={text('incidents.views')}
          sx={{ mb: { xs: 2, lg: 0 }, borderBottom: 1, borderColor: 'divider', gridColumn: '1 / -1' }}
        >
          {views.map((name) => (
            <Tab
              key={name}
              value={name}
              id={`view-${name}`}
              aria-controls={`panel-${name}`}
              label={text(`incidents.viewNames.${name}`)}
            />
          ))}
        </Tabs>
      )}
      <Box key="main" sx={{ minWidth: 0 }}>
        <Box {...panel('story')}>
          <Story incident={incident} />
        </Box>
        {COMMAND_VIEWS.map(({ name, View }) => (
          <Box key={name} {...panel(name)}>
            {visited.includes(name) && (
              <Suspense fallback={<Skeleton variant="rounded" height={320} />}>
                <View incident={incident} />
              </Suspense>
            )}
          </Box>
        ))}
      </Box>
      <Box
        key="beside"
        {...(wide && { role: 'region', tabIndex: 0, 'aria-label': text('incidents.beside') })}
        sx={{
          display: { lg: 'grid' },
          gap: 3,
          minWidth: 0,
          // Keeps the people in view beside a long story.
          position: { lg: 'sticky' },
          top: { lg: HEADER_HEIGHT + 24 },
          maxHeight: { lg: `calc(100vh - ${HEADER_HEIGHT + 48}px)` },
          overflowY: { lg: 'auto' },
        }}
      >
        <Box {...panel('people')}>
          <TeamStatus incident={incident} />
        </Box>
        <Box {...panel('files')}>
          <Box sx={{ display: 'grid', gap: { xs: 2, sm: 3 } }}>
            <AttachmentsPanel incident={incident} />
            <PlaybooksPanel incident={incident} />
          </Box>
        </Box>
      </Box>
      {!wide && <CheckInButton incident={incident} look="bar" />}
    </Box>
  )
}

/** One incident or exercise: story and people (operations §2). */
export function IncidentPage() {
  const text = useText()
  return (
    <OneIncident
      loading={
        <ExerciseFrame exercise={false}>
          <PageTitle title={text('incidents.incident')} />
          <Loading />
        </ExerciseFrame>
      }
    >
      {(incident) => (
        <ExerciseFrame exercise={incident.isTabletop}>
          <IncidentTitle incident={incident} />
          <Head incident={incident} />
          <Body key={incident.id} incident={incident} />
        </ExerciseFrame>
      )}
    </OneIncident>
  )
}
