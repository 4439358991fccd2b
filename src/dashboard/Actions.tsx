import AddAlertRounded from '@mui/icons-material/AddAlertRounded'
import CampaignRounded from '@mui/icons-material/CampaignRounded'
import EditNoteRounded from '@mui/icons-material/EditNoteRounded'
import FolderRounded from '@mui/icons-material/FolderRounded'
import ForumRounded from '@mui/icons-material/ForumRounded'
import GroupsRounded from '@mui/icons-material/GroupsRounded'
import BookRounded from '@mui/icons-material/BookRounded'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'

import { chatAccess } from '#contract/chat/access.ts'
import type { Dashboard } from '#contract/dashboard/schema.ts'
import { filesAccess } from '#contract/files/access.ts'
import { incidentsAccess } from '#contract/incidents/access.ts'
import { creatableKinds } from '#contract/incidents/rules.ts'
import { massNotificationsAccess } from '#contract/mass-notifications/access.ts'
import { playbooksAccess } from '#contract/playbooks/access.ts'
import { usersAccess } from '#contract/users/access.ts'
import { useSession } from '#providers/session.ts'
import { useCan } from '#providers/useCan.ts'
import { useOffersSms } from '#src/config/useConfig.ts'
import { ActionTile } from '#src/kit/layout/ActionTile.tsx'
import { useText } from '#src/kit/useText.ts'

import { inProgressPath } from './StateBanner.tsx'

/** Actions for people who may declare incidents. */
function IncidentActions({ dashboard }: { dashboard: Dashboard }) {
  const text = useText()
  const { organisation } = useSession()
  const { incidentsCount, exercisesCount } = dashboard
  const kinds = creatableKinds(
    { incidents: incidentsCount, exercises: exercisesCount },
    organisation?.config.multiIncident ?? false,
  )
  const blocked = !kinds.incident && !kinds.exercise
  const idle = incidentsCount + exercisesCount === 0
  return (
    <>
      <ActionTile
        icon={AddAlertRounded}
        name={text('dashboard.createIncident')}
        line={text(blocked ? 'dashboard.createIncidentBlocked' : 'dashboard.createIncidentText')}
        to="/incidents/create"
        disabled={blocked}
      />
      <ActionTile
        icon={EditNoteRounded}
        name={text('dashboard.updateIncident')}
        line={text(idle ? 'dashboard.updateIncidentBlocked' : 'dashboard.updateIncidentText')}
        to={inProgressPath(dashboard)}
        disabled={idle}
      />
    </>
  )
}

/** The visitor's permitted actions (foundation §6 "Dashboard tile rules"). */
export function Actions({ dashboard }: { dashboard: Dashboard }) {
  const text = useText()
  const can = useCan()
  const declares = can(incidentsAccess.write)
  const chats = can(chatAccess)
  const stores = can(filesAccess.use)
  const reads = can(playbooksAccess.read)
  const notifies = can(massNotificationsAccess)
  const offersSms = useOffersSms()
  if (!declares && !chats && !stores && !reads && !notifies) return null
  return (
    <section>
      <Typography variant="h3" component="h2" sx={{ mb: 1.5 }}>
        {text('dashboard.actions')}
      </Typography>
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          gridTemplateColumns: 'repeat(auto-fill, minmax(min(320px, 100%), 1fr))',
        }}
      >
        {declares && <IncidentActions dashboard={dashboard} />}
        {chats && (
          <ActionTile
            icon={GroupsRounded}
            name={text('dashboard.warRooms')}
            line={text('dashboard.warRoomsText')}
            to="/chat"
          />
        )}
        {stores && (
          <ActionTile
            icon={FolderRounded}
            name={text('dashboard.files')}
            line={text('dashboard.filesText')}
            to="/secure-file-storage"
          />
        )}
        {chats && !can(usersAccess) && (
          <ActionTile
            icon={ForumRounded}
            name={text('app.sections.chat')}
            line={text('dashboard.messagingText')}
            to="/chat"
          />
        )}
        {reads && (
          <ActionTile
            icon={BookRounded}
            name={text('dashboard.playbooks')}
            line={text('dashboard.playbooksText')}
            to="/playbooks"
          />
        )}
        {notifies && (
          <ActionTile
            icon={CampaignRounded}
            name={text('dashboard.massNotifications')}
            line={text(offersSms ? 'dashboard.massNotificationsText' : 'dashboard.massNotificationsByEmail')}
            to="/mass-notifications"
          />
        )}
      </Box>
    </section>
  )
}
