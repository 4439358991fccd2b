import AddRounded from '@mui/icons-material/AddRounded'
import CampaignRounded from '@mui/icons-material/CampaignRounded'
import DifferenceRounded from '@mui/icons-material/DifferenceRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import MuiLink from '@mui/material/Link'
import { Suspense, useState } from 'react'
import { Link } from 'react-router-dom'

import { incidentPlaybooksApi } from '#contract/incident-playbooks/api.ts'
import type { IncidentPlaybook } from '#contract/incident-playbooks/schema.ts'
import { incidentCan } from '#contract/incidents/rules.ts'
import type { Incident } from '#contract/incidents/schema.ts'
import { massNotificationsAccess } from '#contract/mass-notifications/access.ts'
import { playbooksAccess } from '#contract/playbooks/access.ts'
import { usePeople } from '#providers/people.ts'
import { useCan } from '#providers/useCan.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { StatusChip } from '#src/kit/layout/StatusChip.tsx'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

import { Card } from '#src/kit/layout/Card.tsx'
import { useIncidentPlaybooks } from './queries.ts'

const AddPlaybookDialog = lazy(async () => ({
  default: (await import('./AddPlaybookDialog.tsx')).AddPlaybookDialog,
}))
const ChangesDialog = lazy(async () => ({ default: (await import('./ChangesDialog.tsx')).ChangesDialog }))

const hasChanged = ({ currentVersion, version }: IncidentPlaybook) =>
  currentVersion !== null && currentVersion > version

function TakenPlaybook({ taken, onCompare }: { taken: IncidentPlaybook; onCompare: () => void }) {
  const text = useText()
  const { nameOf } = usePeople()
  const can = useCan()
  const canRead = can(playbooksAccess.read)
  const canNotify = can(massNotificationsAccess)
  const { playbookId, name, version, tasksCount } = taken
  return (
    <Box component="li" sx={{ display: 'grid', gap: 0.25, overflowWrap: 'anywhere' }}>
      <Box dir="auto" sx={{ fontWeight: 600 }}>
        {canRead && playbookId ? (
          <MuiLink component={Link} to={`/playbooks/${playbookId}`}>
            {name}
          </MuiLink>
        ) : (
          name
        )}
      </Box>
      <Box sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>
        {text('incidents.playbookTaken', { smart_count: tasksCount, version, name: nameOf(taken.addedBy) })}{' '}
        <Time at={taken.addedTimestamp} />
        {playbookId === null && ` · ${text('incidents.playbookDeleted')}`}
      </Box>
      {taken.notificationTemplateId !== null && canNotify && (
        <Box>
          <Button
            component={Link}
            to={`/mass-notifications/send?template=${taken.notificationTemplateId}`}
            size="small"
            startIcon={<CampaignRounded />}
          >
            {text('incidents.sendPrepared')}
          </Button>
        </Box>
      )}
      {hasChanged(taken) && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, mt: 0.5 }}>
          <StatusChip tone="warning" icon={DifferenceRounded} label={text('incidents.playbookChanged')} />
          <Button size="small" onClick={onCompare}>
            {text('incidents.playbookWhatChanged')}
          </Button>
        </Box>
      )}
    </Box>
  )
}

/** Playbooks of an incident with their copied versions, and the changes since. */
export function PlaybooksPanel({ incident }: { incident: Incident }) {
  const text = useText()
  const can = useCan()
  const { data: taken = [] } = useIncidentPlaybooks(incident.id)
  const [isAdding, setAdding] = useState(false)
  const [compared, setCompared] = useState<IncidentPlaybook | null>(null)
  const canAdd =
    can(playbooksAccess.read) && can(incidentPlaybooksApi.add.access) && incidentCan.addActivity(incident)
  if (taken.length === 0 && !canAdd) return null
  return (
    <Card
      heading="h3"
      title={text('incidents.playbooks')}
      side={
        canAdd && (
          <Button size="small" startIcon={<AddRounded />} onClick={() => setAdding(true)}>
            {text('incidents.addPlaybook')}
          </Button>
        )
      }
    >
      {taken.length === 0 ? (
        <Box sx={{ color: 'text.secondary' }}>{text('incidents.playbooksEmpty')}</Box>
      ) : (
        <Box component="ul" sx={{ display: 'grid', gap: 1.5, m: 0, p: 0, listStyle: 'none' }}>
          {taken.map((one) => (
            <TakenPlaybook key={one.id} taken={one} onCompare={() => setCompared(one)} />
          ))}
        </Box>
      )}
      <Suspense>
        {isAdding && <AddPlaybookDialog incident={incident} onClose={() => setAdding(false)} />}
        {compared?.playbookId && (
          <ChangesDialog
            playbookId={compared.playbookId}
            version={compared.version}
            onClose={() => setCompared(null)}
          />
        )}
      </Suspense>
    </Card>
  )
}
