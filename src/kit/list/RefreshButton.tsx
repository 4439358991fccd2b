import RefreshRounded from '@mui/icons-material/RefreshRounded'
import IconButton from '@mui/material/IconButton'
import Tooltip from '@mui/material/Tooltip'
import { useEffect, useRef, useState } from 'react'

import { MINUTE } from '../time/clock.ts'
import { useRemembered } from './useRemembered.ts'
import { useText } from '../useText.ts'

interface Props {
  /** Key of the pause, which lasts on every page and after a reload. */
  resource: string
  onRefresh: () => void
}

/** Asks for a list again, and then rests for a minute (administration §9). */
export function RefreshButton({ resource, onRefresh }: Props) {
  const text = useText()
  const frame = useRef<HTMLSpanElement>(null)
  const [pressedAt, setPressedAt] = useRemembered(resource, 'refreshed', 0)
  const [now, setNow] = useState(Date.now)
  const passed = now - pressedAt
  // A clock that was set back must not keep it resting for longer.
  const rests = passed >= 0 && passed < MINUTE
  useEffect(() => {
    if (!rests) return undefined
    const timer = setTimeout(() => setNow(Date.now()), pressedAt + MINUTE - Date.now())
    return () => clearTimeout(timer)
  }, [rests, pressedAt])
  const press = () => {
    // A disabled button lets go of the keyboard.
    frame.current?.focus()
    const at = Date.now()
    setNow(at)
    setPressedAt(at)
    onRefresh()
  }
  return (
    <Tooltip title={text(rests ? 'grid.refreshRests' : 'grid.refresh')} describeChild>
      {/* Focusable while the button is disabled, so that its tooltip can say why. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <span ref={frame} tabIndex={rests ? 0 : -1}>
        <IconButton
          aria-label={text('grid.refresh')}
          disabled={rests}
          onClick={press}
          sx={{ color: 'text.secondary' }}
        >
          <RefreshRounded />
        </IconButton>
      </span>
    </Tooltip>
  )
}
