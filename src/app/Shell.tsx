import Box from '@mui/material/Box'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { Outlet } from 'react-router-dom'

import { useFallbackInterval } from '#providers/live.ts'
import { refreshMe } from '#providers/send.ts'
import { useSession } from '#providers/session.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { useDocked } from '#src/kit/layout/docked.ts'
import { closeShellDialog, useShellDialog, useShellKeys } from '#src/kit/layout/shellDialogs.ts'
import { useText } from '#src/kit/useText.ts'

import { BOTTOM_BAR_HEIGHT, BottomBar } from './BottomBar.tsx'
import { Header } from './Header.tsx'
import { NewPasswordGate } from './NewPasswordGate.tsx'
import { LiveNotice } from './LiveNotice.tsx'
import { NewVersionDialog } from './NewVersion.tsx'
import { SideMenu } from './SideMenu.tsx'
import { SkipLink } from './SkipLink.tsx'
import { TabIcon } from './TabIcon.tsx'
import { TermsGate } from './TermsGate.tsx'
import { useCurrentSection } from './useCurrentSection.ts'
import { useStartOfPage } from './useStartOfPage.ts'

const Initialisation = lazy(async () => ({
  default: (await import('./Initialisation.tsx')).Initialisation,
}))
const ShellDialogs = lazy(async () => ({ default: (await import('./ShellDialogs.tsx')).ShellDialogs }))
const Toasts = lazy(async () => ({ default: (await import('#src/kit/feedback/Toasts.tsx')).Toasts }))
/** Milliseconds that give the requested page priority. */
const INITIALISATION_DELAY_MS = 1_000

function useSettled(): boolean {
  const [isSettled, setIsSettled] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsSettled(true), INITIALISATION_DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  return isSettled
}

/** Refreshes the permissions on events of the socket, and every 301 seconds while it is down. */
function useFreshMe() {
  useQuery({
    queryKey: ['me'],
    queryFn: async () => {
      await refreshMe()
      return true
    },
    // The permissions were requested at the start already.
    initialData: true,
    staleTime: Infinity,
    refetchInterval: useFallbackInterval(301),
  })
}

/** The frame around every page. The server refuses everything else while a new password is required. */
export const Shell = () => (useSession().user?.passwordChangeRequired ? <NewPasswordGate /> : <Frame />)

function Frame() {
  const text = useText()
  const { title, tab } = useCurrentSection()
  const main = useStartOfPage()
  useFreshMe()
  const isSettled = useSettled()
  const hasDialog = useShellDialog() !== null
  useShellKeys()
  // Nothing stays open for the next session.
  useEffect(() => closeShellDialog, [])
  const product = text('app.name')
  useEffect(() => {
    document.title = `${tab} · ${product}`
  }, [tab, product])
  return (
    <>
      <SkipLink />
      <TabIcon />
      <Header />
      {isSettled && <LiveNotice />}
      <Box sx={{ display: 'flex', alignItems: 'flex-start' }}>
        <SideMenu />
        <Box
          component="main"
          id="content"
          ref={main}
          tabIndex={-1}
          aria-label={title}
          sx={{ flex: 1, minWidth: 0, pb: { xs: `${BOTTOM_BAR_HEIGHT + 16}px`, sm: 0 } }}
        >
          <Outlet />
        </Box>
      </Box>
      <BottomBar />
      {useDocked()}
      <Suspense>
        <Toasts />
      </Suspense>
      <NewVersionDialog />
      <TermsGate />
      {isSettled && (
        <Suspense>
          <Initialisation />
        </Suspense>
      )}
      {hasDialog && (
        <Suspense>
          <ShellDialogs />
        </Suspense>
      )}
    </>
  )
}
