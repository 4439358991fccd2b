import ContactsRounded from '@mui/icons-material/ContactsRounded'
import EditNoteRounded from '@mui/icons-material/EditNoteRounded'
import SendRounded from '@mui/icons-material/SendRounded'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'

import { ActionTile } from '#src/kit/layout/ActionTile.tsx'
import { useText } from '#src/kit/useText.ts'

import { ApprovalsCard } from './ApprovalsCard.tsx'
import { NotificationHistory } from './NotificationHistory.tsx'
import { QuotaBanner } from './QuotaBanner.tsx'

const TILES = [
  { name: 'send', icon: SendRounded, to: '/mass-notifications/send' },
  { name: 'templates', icon: EditNoteRounded, to: '/mass-notifications/templates' },
  { name: 'contacts', icon: ContactsRounded, to: '/mass-notifications/contacts' },
] as const

/** Overview of notifications: quota, actions, history (administration §2.1). */
export function MassNotificationsPage() {
  const text = useText()
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2, p: { xs: 2, md: 3 } }}>
      <QuotaBanner />
      <ApprovalsCard />
      <Box
        component="nav"
        aria-label={text('massNotifications.shortcuts')}
        sx={{ display: 'grid', gap: 2, gridTemplateColumns: { md: 'repeat(3, minmax(0, 1fr))' } }}
      >
        {TILES.map(({ name, icon, to }) => (
          <ActionTile
            key={name}
            icon={icon}
            name={text(`massNotifications.tiles.${name}`)}
            line={text(`massNotifications.tiles.${name}Text`)}
            to={to}
          />
        ))}
      </Box>
      <Typography variant="h2" sx={{ mt: 1 }}>
        {text('massNotifications.history')}
      </Typography>
      <NotificationHistory />
    </Box>
  )
}
