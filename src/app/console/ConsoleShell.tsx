import LogoutRounded from '@mui/icons-material/LogoutRounded'
import ShieldRounded from '@mui/icons-material/ShieldRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { Link, Outlet, useLocation } from 'react-router-dom'

import { staffApi } from '#contract/staff/api.ts'
import { call } from '#providers/api.ts'
import { updateStaffRole, useSession } from '#providers/session.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { Logo } from '#src/kit/layout/Logo.tsx'
import { usePageTitle } from '#src/kit/layout/pageTitle.ts'
import { HEADER_HEIGHT } from '#src/kit/theme/theme.ts'
import { useText } from '#src/kit/useText.ts'

import { NewVersionDialog, UpdateNowButton } from '../NewVersion.tsx'
import { SkipLink } from '../SkipLink.tsx'
import { LiveNotice } from '../LiveNotice.tsx'
import { useStartOfPage } from '../useStartOfPage.ts'
import { CONSOLE_SECTIONS, consoleSectionOf } from './consoleSections.ts'
import { signOutOfConsole } from './signOutOfConsole.ts'

const StaffAuthenticator = lazy(async () => ({
  default: (await import('./StaffAuthenticator.tsx')).StaffAuthenticator,
}))
const Toasts = lazy(async () => ({ default: (await import('#src/kit/feedback/Toasts.tsx')).Toasts }))

/** The signed-in member of staff. A role that others changed takes effect at once. */
function useCurrentStaff() {
  const { data } = useQuery({
    queryKey: ['staff', 'me'],
    queryFn: ({ signal }) => call(staffApi.me, { signal }),
  })
  const role = data?.role
  useEffect(() => {
    if (role) updateStaffRole(role)
  }, [role])
  return data
}

/** Offers an authenticator app to staff who have none. */
function OwnAuthenticator() {
  const text = useText()
  const [isOpen, setIsOpen] = useState(false)
  const current = useCurrentStaff()
  const label = text('management.staff.own.setUp')
  return (
    <>
      {current && !current.hasAuthenticator && (
        <Button
          size="small"
          color="inherit"
          aria-label={label}
          startIcon={<ShieldRounded />}
          onClick={() => setIsOpen(true)}
          sx={{ flex: 'none', '& .MuiButton-startIcon': { mr: { xs: 0, lg: 1 } }, minWidth: 44 }}
        >
          <Box component="span" sx={{ display: { xs: 'none', lg: 'inline' } }}>
            {label}
          </Box>
        </Button>
      )}
      {isOpen && (
        <Suspense>
          <StaffAuthenticator onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

/** The console's bar: navigation stands in it, or below it on narrow screens. */
function ConsoleHeader({ title }: { title: string }) {
  const text = useText()
  const { staff } = useSession()
  return (
    <Box
      component="header"
      sx={{
        position: { md: 'sticky' },
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
          gap: 2,
          height: HEADER_HEIGHT - 1,
          px: { xs: 2, md: 3 },
        }}
      >
        <Box
          component={Link}
          to="/management/organizations"
          aria-label={text('management.home')}
          sx={{
            display: 'flex',
            alignItems: 'center',
            gap: 1.5,
            color: 'text.primary',
            textDecoration: 'none',
          }}
        >
          <Logo />
          <Box component="span" sx={{ display: { xs: 'none', sm: 'block' } }}>
            <Box
              component="span"
              sx={{ display: 'block', fontSize: '1.125rem', fontWeight: 600, lineHeight: 1.2 }}
            >
              {text('app.name')}
            </Box>
            <Typography component="span" variant="caption" sx={{ display: 'block', color: 'text.secondary' }}>
              {text('management.name')}
            </Typography>
          </Box>
        </Box>
        <Typography
          variant="h2"
          component="h1"
          noWrap
          dir="auto"
          sx={{ flex: '1 1 0', minWidth: 0, ml: { md: 2 } }}
        >
          {title}
        </Typography>
        <UpdateNowButton />
        <Typography
          variant="body2"
          noWrap
          sx={{ display: { xs: 'none', md: 'block' }, color: 'text.secondary' }}
        >
          {staff?.email}
        </Typography>
        <OwnAuthenticator />
        <Button
          size="small"
          color="inherit"
          startIcon={<LogoutRounded />}
          onClick={() => void signOutOfConsole()}
          sx={{ flex: 'none' }}
        >
          {text('app.signOut')}
        </Button>
      </Box>
      <UpdateNowButton isLine />
    </Box>
  )
}

/** On a phone the row of links is wider than the screen. */
function bringIntoSight(link: HTMLAnchorElement | null): void {
  link?.scrollIntoView?.({ block: 'nearest', inline: 'center' })
}

function ConsoleNavigation() {
  const text = useText()
  const { pathname } = useLocation()
  const current = consoleSectionOf(pathname)
  return (
    <Box
      component="nav"
      aria-label={text('app.mainMenu')}
      sx={{
        position: { md: 'sticky' },
        top: HEADER_HEIGHT,
        zIndex: 'appBar',
        bgcolor: 'background.paper',
        borderBottom: 1,
        borderColor: 'divider',
        overflowX: 'auto',
      }}
    >
      <Box
        component="ul"
        sx={{ display: 'flex', gap: 0.5, listStyle: 'none', m: 0, px: { xs: 1, md: 2 }, py: 0.5 }}
      >
        {CONSOLE_SECTIONS.map((section) => {
          const Icon = section.icon
          return (
            <li key={section.path}>
              <Button
                ref={section === current ? bringIntoSight : undefined}
                component={Link}
                to={section.path}
                color={section === current ? 'primary' : 'inherit'}
                startIcon={<Icon />}
                aria-current={section === current ? 'page' : undefined}
                sx={{
                  whiteSpace: 'nowrap',
                  minHeight: 44,
                  fontWeight: section === current ? 600 : 400,
                  ...(section === current && { boxShadow: 'inset 0 -2px currentColor', borderRadius: 0 }),
                }}
              >
                {text(section.label)}
              </Button>
            </li>
          )
        })}
      </Box>
    </Box>
  )
}

/** The frame around every page of the console (administration §2.2). */
export function ConsoleShell() {
  const text = useText()
  const { pathname } = useLocation()
  const own = usePageTitle()?.title
  const main = useStartOfPage()
  const section = consoleSectionOf(pathname)
  const title = own ?? (section ? text(section.label) : text('management.name'))
  const product = text('management.product')
  useEffect(() => {
    document.title = `${title} · ${product}`
  }, [title, product])
  return (
    <>
      <SkipLink />
      <ConsoleHeader title={title} />
      <LiveNotice />
      <ConsoleNavigation />
      <Box component="main" id="content" ref={main} tabIndex={-1} aria-label={title} sx={{ minWidth: 0 }}>
        <Outlet />
      </Box>
      <Suspense>
        <Toasts />
      </Suspense>
      <NewVersionDialog />
    </>
  )
}
