import MoreHorizRounded from '@mui/icons-material/MoreHorizRounded'
import IconButton from '@mui/material/IconButton'
import Tooltip from '@mui/material/Tooltip'
import { type KeyboardEvent, type Ref, Suspense, useRef, useState } from 'react'

import { lazy } from '#src/kit/browser/lazy.ts'
import { moveFocus } from '#src/kit/browser/moveFocus.ts'
import { useText } from '#src/kit/useText.ts'

import type { Asking, MessageActsProps } from './MessageActs.tsx'

// Loaded with the first message that is met: the room does not wait for its actions.
const QuickActs = lazy(async () => ({ default: (await import('./MessageActs.tsx')).QuickActs }))
const ActsMenu = lazy(async () => ({ default: (await import('./MessageActs.tsx')).ActsMenu }))
const ReactionPopover = lazy(async () => ({
  default: (await import('./MessageDialogs.tsx')).ReactionPopover,
}))
const RemoveDialog = lazy(async () => ({ default: (await import('./MessageDialogs.tsx')).RemoveDialog }))
const RemindDialog = lazy(async () => ({ default: (await import('./RemindDialog.tsx')).RemindDialog }))
const AddToIncident = lazy(async () => ({ default: (await import('./AddToIncident.tsx')).AddToIncident }))

/** Styles of the toolbar that floats over a message. */
export const actStyles = {
  position: 'absolute',
  top: -14,
  insetInlineEnd: 8,
  zIndex: 1,
  display: 'flex',
  p: '2px',
  border: 1,
  borderColor: 'divider',
  borderRadius: '6px',
  bgcolor: 'background.paper',
  color: 'text.secondary',
  // Touch has no hover, so the menu button stays beside the message.
  '@media (hover: none)': { top: 0, insetInlineEnd: 0, border: 0, bgcolor: 'transparent' },
} as const

const moreButton = { '@media (hover: none)': { width: 44, height: 44 } }

/** True once `holds` has been true: a menu or dialog is mounted from then on, so that its closing animates. */
function useEver(holds: boolean): boolean {
  const [has, setHas] = useState(holds)
  if (holds && !has) setHas(true)
  return has || holds
}

interface ActionsProps extends MessageActsProps {
  /** True once the message was hovered or focused: action buttons are mounted from then on. */
  isMet: boolean
  /** The menu button, which is always mounted. */
  ref: Ref<HTMLButtonElement>
}

/**
 * Actions on a message: buttons on hover and focus, and a menu. Menu and dialogs mount when opened, because
 * scrolling mounts many rows.
 */
export function MessageActions({ isMet, ref, ...props }: ActionsProps) {
  const { message } = props
  const text = useText()
  const [menu, setMenu] = useState<HTMLElement | null>(null)
  const [picker, setPicker] = useState<HTMLElement | null>(null)
  const [asked, setAsked] = useState<'remove' | 'add' | 'remind' | null>(null)
  const hasMenu = useEver(menu !== null)
  const hasPicker = useEver(picker !== null)
  const hasRemove = useEver(asked === 'remove')
  const keys = useRef<((event: KeyboardEvent<HTMLElement>) => void) | null>(null)
  const done = () => setAsked(null)
  const asking: Asking = {
    react: setPicker,
    remove: () => setAsked('remove'),
    add: () => setAsked('add'),
    remind: () => setAsked('remind'),
  }
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its buttons take the focus */}
      <div
        className="acts"
        role="toolbar"
        aria-label={text('chatMessages.actions')}
        onKeyDown={(event) => {
          moveFocus(event)
          keys.current?.(event)
        }}
        data-held={menu !== null || picker !== null}
      >
        {isMet && (
          <Suspense>
            <QuickActs {...props} asking={asking} keys={keys} />
          </Suspense>
        )}
        <Tooltip title={text('chatMessages.more')}>
          <IconButton
            ref={ref}
            size="small"
            aria-label={text('chatMessages.more')}
            aria-haspopup="menu"
            aria-expanded={menu !== null}
            onClick={(event) => setMenu(event.currentTarget)}
            sx={moreButton}
          >
            <MoreHorizRounded />
          </IconButton>
        </Tooltip>
      </div>
      <Suspense>
        {hasMenu && <ActsMenu {...props} asking={asking} anchor={menu} onClose={() => setMenu(null)} />}
      </Suspense>
      <Suspense>
        {hasPicker && <ReactionPopover message={message} anchor={picker} onClose={() => setPicker(null)} />}
        {hasRemove && <RemoveDialog message={message} open={asked === 'remove'} onClose={done} />}
      </Suspense>
      {asked === 'remind' && (
        <Suspense>
          <RemindDialog messageId={message.id} onClose={done} />
        </Suspense>
      )}
      {asked === 'add' && (
        <Suspense>
          <AddToIncident message={message} onClose={done} />
        </Suspense>
      )}
    </>
  )
}
