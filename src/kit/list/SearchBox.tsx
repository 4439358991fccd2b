import ClearRounded from '@mui/icons-material/ClearRounded'
import SearchRounded from '@mui/icons-material/SearchRounded'
import IconButton from '@mui/material/IconButton'
import InputAdornment from '@mui/material/InputAdornment'
import OutlinedInput from '@mui/material/OutlinedInput'
import { useEffect, useEffectEvent, useState } from 'react'

import { useText } from '../useText.ts'

/** Between the last letter and the question (administration §9). */
const DEBOUNCE_MS = 250

interface Props {
  label: string
  /** The searched text. */
  value: string
  onSearch: (value: string) => void
  /** Milliseconds between the last letter and the question. */
  delay?: number
}

/** Searches as somebody types. */
export function SearchBox({ label, value, onSearch, delay = DEBOUNCE_MS }: Props) {
  const text = useText()
  const [typed, setTyped] = useState(value)
  const [seen, setSeen] = useState(value)
  if (value !== seen) {
    setSeen(value)
    // Changed from elsewhere: by the back button, or because all filters were cleared.
    if (value !== typed.trim()) setTyped(value)
  }
  const search = useEffectEvent((words: string) => {
    if (words.trim() !== value) onSearch(words.trim())
  })
  useEffect(() => {
    const timer = setTimeout(() => search(typed), delay)
    return () => clearTimeout(timer)
  }, [typed, delay])
  return (
    <OutlinedInput
      fullWidth
      size="small"
      value={typed}
      placeholder={label}
      onChange={(event) => setTyped(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && typed !== '') setTyped('')
        else if (event.key === 'Enter' && typed.trim() !== value) onSearch(typed.trim())
      }}
      inputProps={{ role: 'searchbox', 'aria-label': label, autoComplete: 'off', enterKeyHint: 'search' }}
      startAdornment={
        <InputAdornment position="start">
          <SearchRounded />
        </InputAdornment>
      }
      endAdornment={
        typed !== '' && (
          <InputAdornment position="end">
            <IconButton
              size="small"
              edge="end"
              aria-label={text('grid.clearSearch')}
              onClick={() => setTyped('')}
            >
              <ClearRounded />
            </IconButton>
          </InputAdornment>
        )
      }
    />
  )
}
