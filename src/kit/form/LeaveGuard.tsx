import { useBlocker } from 'react-admin'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'

import type { TextKey } from '#providers/i18nProvider.ts'

import { ConfirmDialog } from '../feedback/ConfirmDialog.tsx'
import { type Leaves, toAnotherPage } from '../browser/navigation.ts'
import { useText } from '../useText.ts'

interface LeaveGuard {
  /** The confirmation dialog, to be rendered on the page. */
  readonly guard: ReactNode
  /** Lets the next navigation pass, because the form is saved. */
  readonly letGo: () => void
  /** Leaves without a navigation, such as by closing a dialog, after confirmation. */
  readonly leave: (way: () => void) => void
}

interface Options {
  /** Navigations that leave the form; by default those to another page. */
  readonly leaves?: Leaves
  readonly question?: TextKey
  /** Label of the button that keeps the input. */
  readonly stay?: TextKey
  /** Called before leaving, when the input is discarded. */
  readonly onDiscard?: () => void
}

interface Props extends Required<Omit<Options, 'onDiscard'>> {
  /** True if the next exit needs no confirmation. */
  isFree: () => boolean
  onLeave: () => void
  /** The exit to confirm, if it is no navigation. */
  way: (() => void) | undefined
  onStay: () => void
}

/** Rendered only while a form is dirty: the router supports one blocker, the last registered one. */
function Question({ leaves, question, stay, isFree, way, onLeave, onStay }: Props) {
  const text = useText()
  const blocker = useBlocker(
    ({ currentLocation, nextLocation, historyAction }) =>
      !isFree() && leaves(currentLocation, nextLocation, historyAction),
  )
  const ask = useEffectEvent((event: BeforeUnloadEvent) => {
    if (!isFree()) event.preventDefault()
  })
  useEffect(() => {
    const listener = (event: BeforeUnloadEvent) => ask(event)
    window.addEventListener('beforeunload', listener)
    return () => window.removeEventListener('beforeunload', listener)
  }, [])
  const blocked = blocker.state === 'blocked'
  return (
    <ConfirmDialog
      open={blocked || way !== undefined}
      title={text('grid.discardTitle')}
      text={text(question)}
      submitLabel={text('grid.discard')}
      cancelLabel={text(stay)}
      destructive
      onSubmit={() => {
        onLeave()
        if (blocked) blocker.proceed?.()
        else way?.()
      }}
      onClose={() => {
        if (isFree()) return
        blocker.reset?.()
        onStay()
      }}
    />
  )
}

/** Confirms leaving unsaved input: by a link, by Back, by closing the page or a dialog. */
export function useLeaveGuard(
  dirty: boolean,
  { leaves = toAnotherPage, question = 'grid.leaveText', stay = 'kit.cancel', onDiscard }: Options = {},
): LeaveGuard {
  const free = useRef(false)
  const [way, setWay] = useState<() => void>()
  const letGo = () => {
    free.current = true
  }
  return {
    guard: dirty && (
      <Question
        leaves={leaves}
        question={question}
        stay={stay}
        isFree={() => free.current}
        way={way}
        onLeave={() => {
          letGo()
          onDiscard?.()
        }}
        onStay={() => setWay(undefined)}
      />
    ),
    letGo,
    leave: (out) => {
      if (dirty && !free.current) setWay(() => out)
      else out()
    },
  }
}
