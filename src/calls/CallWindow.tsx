import Box from '@mui/material/Box'
import GlobalStyles from '@mui/material/GlobalStyles'
import useMediaQuery from '@mui/material/useMediaQuery'
import { type KeyboardEvent, Suspense, useCallback, useEffect, useRef, useState } from 'react'

import { calls, type CallView, type MyCall } from '#providers/calls/calls.ts'
import { callChoices, keepCallChoices } from '#providers/calls/choices.ts'
import { useEndedCall, useMyCall } from '#providers/calls/useCalls.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { HEADER_HEIGHT } from '#src/kit/theme/theme.ts'
import { PHONE } from '#src/kit/layout/breakpoints.ts'
import { useText } from '#src/kit/useText.ts'

import { CallAnnouncer } from './CallAnnouncer.tsx'
import { CallControls } from './CallControls.tsx'
import { EndedCall } from './EndedCall.tsx'
import { MinimisedBar } from './MinimisedBar.tsx'
import { PeoplePanel } from './PeoplePanel.tsx'
import { Stage } from './Stage.tsx'
import { useDrag } from './useDrag.ts'
import { useOverPage } from './useOverPage.ts'
import { usePushToTalk } from './usePushToTalk.ts'
import { WindowBar } from './WindowBar.tsx'
import { WindowNotices } from './WindowNotices.tsx'

const DevicesDialog = lazy(async () => ({
  default: (await import('./DevicesDialog.tsx')).DevicesDialog,
}))

const WIDTH = 360
/** Pixels that keep the chat's composer uncovered. */
const ABOVE_COMPOSER = 96
/** Height in pixels of a minimised window on a phone. */
const MINIMISED = 72
/** Height in pixels of the bar at the bottom of a phone. */
const BOTTOM_BAR = 56
const FLOATING = { border: 1, borderColor: 'divider', borderRadius: 1, boxShadow: 8 } as const

/** Position and size of the window. Its element stays the same, because moving an iframe reloads it. */
function boxOf(view: CallView, isPhone: boolean, spot: { right: number; bottom: number }) {
  if (view === 'minimised')
    return isPhone
      ? { insetInline: 8, bottom: `calc(${BOTTOM_BAR + 8}px + env(safe-area-inset-bottom))`, ...FLOATING }
      : { right: 16, bottom: ABOVE_COMPOSER, width: WIDTH, ...FLOATING }
  if (isPhone || view === 'full') return { inset: 0 }
  if (view === 'side')
    return { top: HEADER_HEIGHT, right: 0, bottom: 0, width: WIDTH, borderLeft: 1, borderColor: 'divider' }
  // The height keeps the window's bar on screen in low browser windows.
  return { ...spot, width: WIDTH, height: `min(520px, calc(100dvh - ${spot.bottom + 16}px))`, ...FLOATING }
}

/** Keeps the end of a phone's page above a minimised window. */
function SpaceBelow() {
  useEffect(() => {
    // Pages that fill the screen measure again on `resize`.
    const measure = () => void window.dispatchEvent(new Event('resize'))
    measure()
    return measure
  }, [])
  return <GlobalStyles styles={{ 'main#content': { paddingBottom: BOTTOM_BAR + 16 + MINIMISED } }} />
}

/** Mounts a call whose engine draws itself. */
function EngineFrame({ mount }: { mount: (element: HTMLElement) => () => void }) {
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => mount(frame.current!), [mount])
  return (
    <Box
      ref={frame}
      sx={{
        flex: 1,
        minHeight: 0,
        display: 'flex',
        '& > *, & iframe': { flex: 1, width: '100%', height: '100%', border: 0 },
      }}
    />
  )
}

function onShortcut(event: KeyboardEvent, { state, engineKind, running }: MyCall, view: CallView) {
  const isTyping = (event.target as Element).closest(
    'input, textarea, select, [contenteditable], [role=dialog] [role=dialog]',
  )
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping || event.defaultPrevented) return
  if (event.key === 'Escape' && view === 'full') calls.show('docked')
  if (engineKind !== 'built-in' || !running) return
  if (event.key.toLowerCase() === 'm') void calls.setAudio(!state.media.audio)
  if (event.key.toLowerCase() === 'v') void calls.setVideo(!state.media.video)
  if (event.key.toLowerCase() === 'h') calls.setHand(typeof state.media.hand !== 'number')
}

interface BodyProps {
  mine: MyCall
  isMinimised: boolean
  isWide: boolean
  onTest: () => void
  isTested: boolean
  onNoTest: () => void
}
/** Everything below the bar. The engine's frame stays mounted while the window is minimised. */
function WindowBody({ mine, isMinimised, isWide, onTest, isTested, onNoTest }: BodyProps) {
  const [panel, setPanel] = useState<'people' | null>(null)
  const [stage, setStage] = useState(() => callChoices().stage)
  const { running, engineKind, state } = mine
  const showStage = (next: typeof stage) => {
    keepCallChoices({ stage: next })
    setStage(next)
  }
  usePushToTalk(engineKind === 'built-in' && running !== null && !state.media.audio)
  const mayTest = engineKind === 'built-in' && running !== null
  return (
    <Box sx={{ flex: 1, minHeight: 0, display: isMinimised ? 'none' : 'flex', flexDirection: 'column' }}>
      <WindowNotices mine={mine} onTest={mayTest && !isTested ? onTest : null} onNoTest={onNoTest} />
      {panel === 'people' && <PeoplePanel mine={mine} />}
      {running?.mount && (
        <Box sx={{ flex: 1, minHeight: 0, display: panel === null ? 'flex' : 'none' }}>
          <EngineFrame mount={running.mount} />
        </Box>
      )}
      {!running?.mount && panel === null && !isMinimised && (
        <Stage tiles={mine.state.tiles} isWide={isWide} layout={stage} />
      )}
      <CallControls
        engineKind={engineKind}
        roomId={mine.roomId}
        view={mine.view}
        media={mine.state.media}
        isLoading={running === null}
        panel={panel}
        onPanel={setPanel}
        stage={stage}
        onStage={showStage}
        onDevices={onTest}
      />
    </Box>
  )
}

function TopBar({
  mine,
  isPhone,
  drag,
}: {
  mine: MyCall
  isPhone: boolean
  drag: ReturnType<typeof useDrag>
}) {
  const { view, title, roomId, status, startedAt, engineKind, running, state } = mine
  const heading = { title, status, startedAt }
  if (view === 'minimised') {
    const mayMute = engineKind === 'built-in' && running !== null
    return <MinimisedBar {...heading} audio={mayMute ? state.media.audio : null} />
  }
  return (
    <WindowBar
      {...heading}
      roomId={roomId}
      view={view}
      isPhone={isPhone}
      drag={view === 'docked' && !isPhone ? drag : null}
    />
  )
}

function OpenWindow({ mine }: { mine: MyCall }) {
  const text = useText()
  const isPhone = useMediaQuery(PHONE, { noSsr: true })
  const root = useRef<HTMLElement>(null)
  const drag = useDrag(() => root.current)
  const [isTesting, setIsTesting] = useState(false)
  const [isTested, setIsTested] = useState(() => callChoices().isTested)
  const { view } = mine
  const test = useCallback(() => setIsTesting(true), [])
  const isMinimised = view === 'minimised'
  const isOver = !isMinimised && (isPhone || view === 'full')
  useOverPage(root, isOver)
  const noTest = () => {
    keepCallChoices({ isTested: true })
    setIsTested(true)
    setIsTesting(false)
  }
  return (
    <>
      {view === 'side' && !isPhone && <GlobalStyles styles={{ ':has(> main)': { paddingRight: WIDTH } }} />}
      {isMinimised && isPhone && <SpaceBelow />}
      <Box
        component="section"
        ref={root}
        tabIndex={-1}
        role={isOver ? 'dialog' : 'region'}
        aria-modal={isOver || undefined}
        aria-label={text('callWindow.name', { title: mine.title })}
        onKeyDown={(event) => onShortcut(event, mine, isPhone ? 'docked' : view)}
        sx={{
          position: 'fixed',
          zIndex: isOver ? 'modal' : 'drawer',
          display: 'flex',
          flexDirection: 'column',
          overflow: 'hidden',
          bgcolor: 'background.paper',
          color: 'text.primary',
          outline: 'none',
          ...boxOf(view, isPhone, drag.spot),
        }}
      >
        <CallAnnouncer mine={mine} />
        <TopBar mine={mine} isPhone={isPhone} drag={drag} />
        <WindowBody
          mine={mine}
          isMinimised={isMinimised}
          isWide={view === 'full' && !isPhone}
          onTest={test}
          isTested={isTested}
          onNoTest={noTest}
        />
      </Box>
      {isTesting && (
        <Suspense>
          <DevicesDialog onClose={noTest} />
        </Suspense>
      )}
    </>
  )
}

/** The window of this page's call, beside every page; after the call, the notice that it has ended. */
export function CallWindow() {
  const mine = useMyCall()
  const ended = useEndedCall()
  return (
    <>
      {mine && <OpenWindow key={mine.participantId} mine={mine} />}
      <Box
        role="status"
        sx={{
          position: 'fixed',
          right: { xs: 8, sm: 16 },
          left: { xs: 8, sm: 'auto' },
          // Leaves the composer free, as toasts do.
          bottom: {
            xs: `calc(${BOTTOM_BAR + 8}px + var(--docked-height, 0px))`,
            md: 'calc(16px + var(--docked-height, 0px))',
          },
          width: { sm: 'min(440px, calc(100vw - 32px))' },
          zIndex: 'snackbar',
        }}
      >
        {!mine && ended && <EndedCall key={ended.callId} ended={ended} />}
      </Box>
    </>
  )
}
