import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import TextField from '@mui/material/TextField'
import { type KeyboardEvent, useRef, useState } from 'react'

import { storage } from '#providers/storage.ts'
import { useText } from '#src/kit/useText.ts'

import { EMOJI_GROUPS, findEmoji, wordsOfEmoji } from './emojiValues.ts'

const RECENT_KEY = 'muster.chat.emoji'
const RECENT_MAX = 16
const COLUMNS = 8

const readRecent = (): string[] => (storage.read(RECENT_KEY) ?? '').split(' ').filter(Boolean)
const noteRecent = (emoji: string) =>
  storage.write(
    RECENT_KEY,
    [emoji, ...readRecent().filter((one) => one !== emoji)].slice(0, RECENT_MAX).join(' '),
  )

interface GridProps {
  label: string
  emoji: readonly string[]
  /** Whether the tab key reaches its first emoji; the arrow keys go on from there. */
  isFirst?: boolean
  onPick: (emoji: string) => void
}
function EmojiGrid({ label, emoji, isFirst = false, onPick }: GridProps) {
  return (
    <Box role="group" aria-label={label}>
      <Box aria-hidden sx={{ mt: 1, mb: 0.5, fontSize: '0.75rem', fontWeight: 600, color: 'text.secondary' }}>
        {label}
      </Box>
      <Box sx={{ display: 'grid', gridTemplateColumns: `repeat(${COLUMNS}, minmax(0, 1fr))` }}>
        {emoji.map((one, index) => (
          <ButtonBase
            key={one}
            tabIndex={isFirst && index === 0 ? 0 : -1}
            data-emoji={one}
            title={wordsOfEmoji(one)}
            aria-label={`${one} ${wordsOfEmoji(one)}`}
            onClick={() => onPick(one)}
            sx={{
              height: { xs: 44, sm: 36 },
              borderRadius: '6px',
              fontSize: '1.25rem',
              '&:hover': { bgcolor: 'action.hover' },
            }}
          >
            {one}
          </ButtonBase>
        ))}
      </Box>
    </Box>
  )
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowLeft: -1,
  ArrowDown: COLUMNS,
  ArrowUp: -COLUMNS,
}

/** Common emoji in groups, found by words. The arrow keys move through them; Enter in the search takes the first one. */
export function EmojiPicker({ onPick }: { onPick: (emoji: string) => void }) {
  const text = useText()
  const [search, setSearch] = useState('')
  const [recent] = useState(readRecent)
  const field = useRef<HTMLInputElement>(null)
  const found = search.trim() === '' ? null : findEmoji(search)
  const pick = (emoji: string) => {
    noteRecent(emoji)
    onPick(emoji)
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
    <Box sx={{ width: { xs: 'min(368px, calc(100vw - 32px))', sm: 336 } }} onKeyDown={onKeyDown}>
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
      <Box sx={{ height: 300, overflowY: 'auto', px: 1, pb: 1 }}>
        {found === null ? (
          <>
            {recent.length > 0 && (
              <EmojiGrid label={text('chatMessages.emojiRecent')} emoji={recent} isFirst onPick={pick} />
            )}
            {EMOJI_GROUPS.map(({ label, emoji }, index) => (
              <EmojiGrid
                key={label}
                label={text(label)}
                emoji={emoji.map(([one]) => one)}
                isFirst={recent.length === 0 && index === 0}
                onPick={pick}
              />
            ))}
          </>
        ) : found.length > 0 ? (
          <EmojiGrid label={text('chatMessages.emoji')} emoji={found} isFirst onPick={pick} />
        ) : (
          <Box role="status" sx={{ p: 2, color: 'text.secondary' }}>
            {text('chatMessages.emojiNone')}
          </Box>
        )}
      </Box>
    </Box>
  )
}
