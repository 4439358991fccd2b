import CampaignRounded from '@mui/icons-material/CampaignRounded'
import ContentCopyRounded from '@mui/icons-material/ContentCopyRounded'
import DownloadRounded from '@mui/icons-material/DownloadRounded'
import EditRounded from '@mui/icons-material/EditRounded'
import MergeRounded from '@mui/icons-material/MergeRounded'
import MoreVertRounded from '@mui/icons-material/MoreVertRounded'
import PriorityHighRounded from '@mui/icons-material/PriorityHighRounded'
import ReplayRounded from '@mui/icons-material/ReplayRounded'
import TaskAltRounded from '@mui/icons-material/TaskAltRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Divider from '@mui/material/Divider'
import IconButton from '@mui/material/IconButton'
import ListItemIcon from '@mui/material/ListItemIcon'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import useMediaQuery from '@mui/material/useMediaQuery'
import { Suspense, useState } from 'react'
import { Link } from 'react-router-dom'

import { chatAccess } from '#contract/chat/access.ts'
import { incidentsApi } from '#contract/incidents/api.ts'
import { canReopen, incidentCan } from '#contract/incidents/rules.ts'
import type { Incident } from '#contract/incidents/schema.ts'
import { massNotificationsAccess } from '#contract/mass-notifications/access.ts'
import { useSession } from '#providers/session.ts'
import { useCan } from '#providers/useCan.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { PHONE } from '#src/kit/layout/breakpoints.ts'
import { useText } from '#src/kit/useText.ts'

import { useReport } from '../report/useReport.ts'
import { CallButton } from './CallButton.tsx'
import { QuietButton } from './QuietButton.tsx'
import { RoomButton } from './RoomButton.tsx'

const ResolveDialog = lazy(async () => ({ default: (await import('./ResolveDialog.tsx')).ResolveDialog }))

const SeverityDialog = lazy(async () => ({
  default: (await import('../correct/SeverityDialog.tsx')).SeverityDialog,
}))
const ReopenDialog = lazy(async () => ({
  default: (await import('../correct/ReopenDialog.tsx')).ReopenDialog,
}))
const MergeDialog = lazy(async () => ({ default: (await import('../correct/MergeDialog.tsx')).MergeDialog }))
const DIALOGS = {
  resolve: ResolveDialog,
  changeSeverity: SeverityDialog,
  merge: MergeDialog,
  reopen: ReopenDialog,
}
type DialogName = keyof typeof DIALOGS
/** Acts that hardly anybody needs, in a menu also where there is room. */
const RARE = [
  ['changeSeverity', <PriorityHighRounded key="icon" />],
  ['merge', <MergeRounded key="icon" />],
  ['reopen', <ReplayRounded key="icon" />],
] as const

interface RareActs {
  /** The rare acts that are possible now. */
  readonly rare: readonly (typeof RARE)[number][]
  readonly onRare: (name: DialogName) => void
  /** Null for people who declare nothing. */
  readonly duplicateTo: string | null
}

interface Acts extends RareActs {
  readonly notifyTo: string | null
  readonly editTo: string | null
  readonly report: ReturnType<typeof useReport>
  /** Null for people who may not resolve the incident. */
  readonly onResolve: (() => void) | null
}

/** The acts that are not those of the minute, on a phone in one menu; elsewhere only the rare ones. */
function ActsMenu({
  notifyTo,
  editTo,
  report,
  onResolve,
  rare,
  onRare,
  duplicateTo,
}: RareActs & Partial<Acts>) {
  const text = useText()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const close = () => setAnchor(null)
  const chosen = (act: () => void) => () => {
    close()
    act()
  }
  return (
    <>
      <IconButton
        aria-label={text('incidents.moreActions')}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ width: 44, height: 44, flex: 'none' }}
      >
        <MoreVertRounded />
      </IconButton>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={close}>
        {notifyTo && (
          <MenuItem component={Link} to={notifyTo}>
            <ListItemIcon>
              <CampaignRounded />
            </ListItemIcon>
            {text('incidents.notify')}
          </MenuItem>
        )}
        {editTo && (
          <MenuItem component={Link} to={editTo}>
            <ListItemIcon>
              <EditRounded />
            </ListItemIcon>
            {text('incidents.editIncident')}
          </MenuItem>
        )}
        {report && (
          <MenuItem disabled={report.busy} onClick={chosen(report.download)}>
            <ListItemIcon>
              <DownloadRounded />
            </ListItemIcon>
            {report.label}
          </MenuItem>
        )}
        {rare.map(([name, icon]) => (
          <MenuItem key={name} onClick={chosen(() => onRare(name))}>
            <ListItemIcon>{icon}</ListItemIcon>
            {text(`incidents.${name}`)}
          </MenuItem>
        ))}
        {duplicateTo && (
          <MenuItem component={Link} to={duplicateTo}>
            <ListItemIcon>
              <ContentCopyRounded />
            </ListItemIcon>
            {text('incidents.duplicate')}
          </MenuItem>
        )}
        {onResolve && <Divider />}
        {onResolve && (
          <MenuItem onClick={chosen(onResolve)}>
            <ListItemIcon>
              <TaskAltRounded />
            </ListItemIcon>
            {text('incidents.resolve')}
          </MenuItem>
        )}
      </Menu>
    </>
  )
}

function ActButtons({ notifyTo, editTo, report, onResolve, ...menu }: Acts) {
  const text = useText()
  return (
    <>
      {notifyTo !== null && (
        <QuietButton icon={<CampaignRounded />} label={text('incidents.notify')} to={notifyTo} />
      )}
      {editTo !== null && (
        <QuietButton icon={<EditRounded />} label={text('incidents.editIncident')} to={editTo} />
      )}
      <QuietButton
        icon={<DownloadRounded />}
        label={report.label}
        loading={report.busy}
        onClick={report.download}
      />
      {(menu.rare.length > 0 || menu.duplicateTo !== null) && <ActsMenu {...menu} />}
      {onResolve && (
        // It ends the incident for everybody, so it stands apart from the other actions.
        <Box sx={{ ml: 1, pl: 2, borderInlineStart: 1, borderColor: 'divider' }}>
          <Button variant="outlined" startIcon={<TaskAltRounded />} onClick={onResolve}>
            {text('incidents.resolve')}
          </Button>
        </Box>
      )}
    </>
  )
}

/** The acts on an incident: its call and its room, and the others, which are a menu on a phone. */
export function IncidentActions({ incident }: { incident: Incident }) {
  const can = useCan()
  const isPhone = useMediaQuery(PHONE, { noSsr: true })
  const [dialog, setDialog] = useState<DialogName | null>(null)
  const { user } = useSession()
  const report = useReport(incident.id)
  const mayChange = can(incidentsApi.update.access)
  const Others = isPhone ? ActsMenu : ActButtons
  const isPossible: { readonly [name in (typeof RARE)[number][0]]: boolean } = {
    changeSeverity: incidentCan.edit(incident),
    merge: incidentCan.resolve(incident),
    reopen: user !== null && canReopen(incident, user),
  }
  const Dialog = dialog && DIALOGS[dialog]
  return (
    <Box
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        gap: { xs: 0.75, sm: 1 },
        flex: { xs: '1 1 100%', sm: 'none' },
      }}
    >
      <CallButton incident={incident} />
      {can(chatAccess) && <RoomButton incident={incident} />}
      <Others
        notifyTo={
          can(massNotificationsAccess) && incident.isActive
            ? `/mass-notifications/send?about=${incident.id}`
            : null
        }
        editTo={mayChange && incidentCan.edit(incident) ? `/incidents/${incident.id}/edit` : null}
        report={report}
        onResolve={mayChange && incidentCan.resolve(incident) ? () => setDialog('resolve') : null}
        rare={mayChange ? RARE.filter(([name]) => isPossible[name]) : []}
        onRare={setDialog}
        duplicateTo={can(incidentsApi.create.access) ? `/incidents/create?like=${incident.id}` : null}
      />
      {Dialog && (
        <Suspense>
          <Dialog incident={incident} onClose={() => setDialog(null)} />
        </Suspense>
      )}
    </Box>
  )
}
