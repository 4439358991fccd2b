import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { memo } from 'react'
import { Link } from 'react-router-dom'

import { Logo } from '#src/kit/layout/Logo.tsx'
import { HEADER_HEIGHT } from '#src/kit/theme/theme.ts'
import { useText } from '#src/kit/useText.ts'
import { NotificationsButton } from '#src/notifications/NotificationsButton.tsx'

import { AccountMenu } from './AccountMenu.tsx'
import { ActiveIncidentLink } from './ActiveIncidentLink.tsx'
import { MenuButton } from './MenuButton.tsx'
import { UpdateNowButton } from './NewVersion.tsx'
import { CALL_PLACE } from './places.ts'
import { useCurrentSection } from './useCurrentSection.ts'

/** The bar at the top of every page: where am I, is something happening, who am I. */
export const Header = memo(function Header() {
  const text = useText()
  const { title, atHome } = useCurrentSection()
  return (
    <Box
      component="header"
      sx={{
        position: 'sticky',
        top: 0,
        zIndex: 'appBar',
        bgcolor: 'background.paper',
        borderBottom: 1,
        borderColor: 'divider',
      }}
    >
      <Box
        sx={{
          display: 'flex',
          alignItems: 'center',
          gap: { xs: 1, md: 2 },
          height: HEADER_HEIGHT - 1,
          px: 2,
        }}
      >
        <MenuButton />
        <Box
          component={Link}
          to="/"
          aria-label={text('app.home')}
          sx={{
            // On a phone the page's name needs the room.
            display: { xs: atHome ? 'flex' : 'none', sm: 'flex' },
            alignItems: 'center',
            gap: 1.5,
            color: 'text.primary',
            textDecoration: 'none',
            fontSize: '1.125rem',
            fontWeight: 600,
            width: { md: 232 },
            flex: 'none',
          }}
        >
          <Logo />
          <Box component="span" sx={{ display: { xs: atHome ? 'inline' : 'none', md: 'inline' } }}>
            {text('app.name')}
          </Box>
        </Box>
        {/* Beside the incident link, the link shrinks and the title does not. */}
        <Box sx={{ flex: { xs: '1 1 0', md: '1 0 auto' }, minWidth: 0 }}>
          {!atHome && (
            <Typography variant="h2" component="h1" noWrap dir="auto" sx={{ maxWidth: { md: 320 } }}>
              {title}
            </Typography>
          )}
        </Box>
        <ActiveIncidentLink sx={{ display: { xs: 'none', md: 'flex' }, maxWidth: 560, flex: '0 1 auto' }} />
        <div id={CALL_PLACE} />
        <UpdateNowButton />
        <NotificationsButton />
        <AccountMenu />
      </Box>
      <ActiveIncidentLink
        sx={{ display: { xs: 'flex', md: 'none' }, borderRadius: 0, borderInline: 0, borderBottom: 0 }}
      />
    </Box>
  )
})
