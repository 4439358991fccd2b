import Box from '@mui/material/Box'
import TextField from '@mui/material/TextField'
import {
  type KeyboardEvent,
  memo,
  type MouseEvent,
  startTransition,
  useEffect,
  useRef,
  useState,
} from 'react'

import { storage } from '#providers/storage.ts'
import { useText } from '#src/kit/useText.ts'

import { EMOJI_GROUPS, findEmoji, nameOfEmoji } from './emojiValues.ts'

const RECENT_KEY = 'muster.chat.emoji'
const RECENT_MAX = 16
const COLUMNS = 8

const readRecent = (): string[] => (storage.read(RECENT_KEY) ?? '').split(' ').filter(Boolean)
const noteRecent = (emoji: string) =>
  storage.write(
    RECENT_KEY,
    [emoji, ...readRecent().filter((one) => one !== emoji)].slice(0, RECENT_MAX).join(' '),
  )

/** Pixels. */
const CELL = { xs: 44, sm: 36 }
const LABEL_HEIGHT = 30
/** One style for hundreds of buttons. */
const grid = {
  display: 'grid',
  gridTemplateColumns: `repeat(${COLUMNS}, minmax(0, 1fr))`,
  '& > button': {
    height: CELL,
    p: 0,
    border: 0,
    borderRadius: '6px',
    bgcolor: 'transparent',
    fontFamily: 'inherit',
    fontSize: '1.25rem',
    cursor: 'pointer',
    '&:hover': { bgcolor: 'action.hover' },
    '&:focus-visible': { outline: 2, outlineColor: 'primary.main', outlineOffset: 2 },
  },
} as const

interface GridProps {
  label: string
  emoji: readonly string[]
  /** True if Tab reaches its first emoji; arrow keys move on from there. */
  isFirst?: boolean
}
const EmojiGrid = memo(function EmojiGrid({ label, emoji, isFirst = false }: GridProps) {
  const rows = Math.ceil(emoji.length / COLUMNS)
  return (
    <Box
      role="group"
      aria-label={label}
      // Skips layout and paint of off-screen groups.
      sx={{
        contentVisibility: 'auto',
        containIntrinsicHeight: {
          xs: `auto ${LABEL_HEIGHT + rows * CELL.xs}px`,
          sm: `auto ${LABEL_HEIGHT + rows * CELL.sm}px`,
        },
      }}
    >
      <Box aria-hidden sx={{ mt: 1, mb: 0.5, fontSize: '0.75rem', fontWeight: 600, color: 'text.secondary' }}>
        {label}
      </Box>
      <Box sx={grid}>
        {emoji.map((one, index) => (
          <button
            key={one}
            type="button"
            tabIndex={isFirst && index === 0 ? 0 : -1}
            data-emoji={one}
            title={nameOfEmoji(one)}
            aria-label={`${one} ${nameOfEmoji(one)}`}
          >
            {one}
          </button>
        ))}
      </Box>
    </Box>
  )
})

const STEPS: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowLeft: -1,
  ArrowDown: COLUMNS,
  ArrowUp: -COLUMNS,
}

/** All emoji in groups, searchable by words. Arrow keys move between them; Enter in the search picks the first one. */
export function EmojiPicker({ onPick }: { onPick: (emoji: string) => void }) {
  const text = useText()
  const [search, setSearch] = useState('')
  const [recent] = useState(readRecent)
  const field = useRef<HTMLInputElement>(null)
  // Groups are added one per render: all at once would delay the picker by 150 ms.
  const [groups, setGroups] = useState(1)
  useEffect(() => {
    if (groups < EMOJI_GROUPS.length) startTransition(() => setGroups(groups + 1))
  }, [groups])
  const found = search.trim() === '' ? null : findEmoji(search)
  const pick = (emoji: string) => {
    noteRecent(emoji)
    onPick(emoji)
  }
  // One handler for all buttons, so that a new `onPick` does not render them again.
  const onClick = ({ target }: MouseEvent<HTMLElement>) => {
    const emoji = (target as HTMLElement).closest<HTMLElement>('[data-emoji]')?.dataset['emoji']
    if (emoji !== undefined) pick(emoji)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-emoji]')]
    const at = buttons.indexOf(document.activeElement as HTMLElement)
    if (at < 0 && event.key === 'Enter' && found?.[0]) {
      event.preventDefault()
      return pick(found[0])
    }
    const step = STEPS[event.key]
    if (step === undefined || (at < 0 && event.key !== 'ArrowDown')) return
    event.preventDefault()
    if (at < 0) buttons[0]?.focus()
    else if (at + step < 0) field.current?.focus()
    else buttons[Math.min(at + step, buttons.length - 1)]?.focus()
  }
  return (
    <Box onKeyDown={onKeyDown}>
      <Box sx={{ p: 1, borderBottom: 1, borderColor: 'divider' }}>
        <TextField
          inputRef={field}
          autoFocus
          value={search}
          onChange={({ target }) => setSearch(target.value)}
          placeholder={text('chatMessages.emojiSearch')}
          slotProps={{ htmlInput: { 'aria-label': text('chatMessages.emojiSearch'), type: 'search' } }}
        />
      </Box>
      <Box sx={{ height: 300, overflowY: 'auto', px: 1, pb: 1 }} onClick={onClick}>
        {found === null ? (
          <>
            {recent.length > 0 && (
              <EmojiGrid label={text('chatMessages.emojiRecent')} emoji={recent} isFirst />
            )}
            {EMOJI_GROUPS.slice(0, groups).map(({ label, emoji }, index) => (
              <EmojiGrid
                key={label}
                label={text(label)}
                emoji={emoji}
                isFirst={recent.length === 0 && index === 0}
              />
            ))}
          </>
        ) : found.length > 0 ? (
          <EmojiGrid label={text('chatMessages.emoji')} emoji={found} isFirst />
        ) : (
          <Box role="status" sx={{ p: 2, color: 'text.secondary' }}>
            {text('chatMessages.emojiNone')}
          </Box>
        )}
      </Box>
    </Box>
  )
}
