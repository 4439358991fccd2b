import SearchRounded from '@mui/icons-material/SearchRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import { memo } from 'react'
import { Link } from 'react-router-dom'

import { Logo } from '#src/kit/layout/Logo.tsx'
import { openFinder } from '#src/kit/layout/shellDialogs.ts'
import { HEADER_HEIGHT } from '#src/kit/theme/theme.ts'
import { useSession } from '#providers/session.ts'
import { useText } from '#src/kit/useText.ts'
import { NotificationsButton } from '#src/notifications/NotificationsButton.tsx'

import { AccountMenu } from './AccountMenu.tsx'
import { ActiveIncidentLink } from './ActiveIncidentLink.tsx'
import { MenuButton } from './MenuButton.tsx'
import { UpdateNowButton } from './NewVersion.tsx'
import { CALL_PLACE } from './places.ts'
import { useCurrentSection } from './useCurrentSection.ts'

/** A full-width strip on phones. */
const STRIP = {
  display: { xs: 'flex', md: 'none' },
  '& a': { borderRadius: 0, borderInline: 0, borderBottom: 0 },
}

/** The organisation's name, so that people who serve several do not act in the wrong one. */
function OrganisationName() {
  const name = useSession().organisation?.config.displayName
  return (
    <Typography
      variant="caption"
      component="span"
      noWrap
      dir="auto"
      title={name}
      sx={{ display: 'block', color: 'text.secondary', lineHeight: 1.25 }}
    >
      {name}
    </Typography>
  )
}

/** The bar at the top of every page: page title, incident in progress, account. */
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
        'html[data-keyboard-open] &': { display: 'none' },
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
          // Larger text keeps within the bar, which covers a part of the page.
          '& h1': { fontSize: 'min(1.25rem, 24px)' },
          '& .MuiTypography-caption': { fontSize: 'min(0.75rem, 15px)' },
          px: 2,
        }}
      >
        <MenuButton />
        <Box
          component={Link}
          to="/"
          aria-label={text('app.home')}
          sx={{
            // On a phone the page title needs the space.
            display: { xs: atHome ? 'flex' : 'none', sm: 'flex' },
            alignItems: 'center',
            gap: 1.5,
            minWidth: 0,
            color: 'text.primary',
            textDecoration: 'none',
            fontSize: 'min(1.125rem, 22px)',
            fontWeight: 600,
            width: { md: 232 },
            flex: { xs: atHome ? '0 1 auto' : 'none', md: 'none' },
          }}
        >
          <Logo />
          <Box
            component="span"
            sx={{ display: { xs: atHome ? 'block' : 'none', md: 'block' }, minWidth: 0, lineHeight: 1.25 }}
          >
            {text('app.name')}
            <OrganisationName />
          </Box>
        </Box>
        {/* The title does not shrink; the incident link beside it does. */}
        <Box sx={{ flex: { xs: '1 1 0', md: '1 0 auto' }, minWidth: 0 }}>
          {!atHome && (
            <>
              <Typography variant="h2" component="h1" noWrap dir="auto" sx={{ maxWidth: { md: 320 } }}>
                {title}
              </Typography>
              <Box sx={{ display: { md: 'none' } }}>
                <OrganisationName />
              </Box>
            </>
          )}
        </Box>
        <ActiveIncidentLink sx={{ display: { xs: 'none', md: 'flex' }, maxWidth: 560, flex: '0 1 auto' }} />
        <div id={CALL_PLACE} />
        <UpdateNowButton />
        <IconButton
          aria-label={text('app.find')}
          title={text('app.find')}
          aria-keyshortcuts="Control+K Meta+K"
          onClick={() => openFinder('all')}
          sx={{ display: { xs: atHome ? 'inline-flex' : 'none', sm: 'inline-flex' } }}
        >
          <SearchRounded />
        </IconButton>
        <NotificationsButton />
        <AccountMenu />
      </Box>
      {/* On a phone's dashboard the banner below names the incident. */}
      {!atHome && <ActiveIncidentLink sx={STRIP} />}
      <UpdateNowButton isLine />
    </Box>
  )
})
