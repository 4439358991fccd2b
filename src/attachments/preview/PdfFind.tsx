import CloseRounded from '@mui/icons-material/CloseRounded'
import KeyboardArrowDownRounded from '@mui/icons-material/KeyboardArrowDownRounded'
import KeyboardArrowUpRounded from '@mui/icons-material/KeyboardArrowUpRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import InputBase from '@mui/material/InputBase'
import { type KeyboardEvent, type RefObject, useEffect, useState } from 'react'

import { useText } from '#src/kit/useText.ts'

import type { PdfSearch } from './usePdfSearch.ts'

/** Opens with Ctrl+F, or Cmd+F, in place of the browser's search, which knows only the pages in sight. */
export function useFindBar(field: RefObject<HTMLInputElement | null>) {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const open = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'f' || !(event.ctrlKey || event.metaKey) || event.altKey) return
      event.preventDefault()
      setOpen(true)
      field.current?.select()
    }
    addEventListener('keydown', open)
    return () => removeEventListener('keydown', open)
  }, [field])
  return { isOpen, setOpen }
}

interface Props {
  search: PdfSearch
  field: RefObject<HTMLInputElement | null>
  onClose: () => void
}

/** Searches the words of a document. */
export function PdfFind({ search, field, onClose }: Props) {
  const text = useText()
  const { words, matches, current, state } = search
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter') search.step(event.shiftKey ? -1 : 1)
    if (event.key !== 'Escape') return
    // The dialog around the viewer stays open.
    event.stopPropagation()
    onClose()
  }
  const status = () => {
    if (words.trim() === '') return ''
    if (matches.length > 0)
      return text('filePreview.findPosition', { position: current + 1, total: matches.length })
    if (state === 'searching') return text('filePreview.finding')
    return text(state === 'without text' ? 'filePreview.findNoText' : 'filePreview.findNothing')
  }
  return (
    <Box
      role="search"
      onKeyDown={press}
      sx={{
        flex: 'none',
        display: 'flex',
        alignItems: 'center',
        gap: 0.5,
        px: 1,
        py: 0.5,
        borderBottom: 1,
        borderColor: 'divider',
      }}
    >
      <InputBase
        autoFocus
        inputRef={field}
        value={words}
        onChange={(event) => search.search(event.target.value)}
        placeholder={text('filePreview.find')}
        inputProps={{ 'aria-label': text('filePreview.find'), enterKeyHint: 'search' }}
        sx={{
          flex: 1,
          minWidth: 0,
          maxWidth: 360,
          px: 1,
          border: 1,
          borderColor: 'background.edge',
          borderRadius: '6px',
        }}
      />
      <Box
        role="status"
        sx={{ flex: 1, minWidth: 0, px: 0.5, color: 'text.secondary', fontSize: '0.875rem' }}
      >
        {status()}
      </Box>
      <IconButton
        size="small"
        aria-label={text('filePreview.findPrevious')}
        disabled={matches.length === 0}
        onClick={() => search.step(-1)}
      >
        <KeyboardArrowUpRounded />
      </IconButton>
      <IconButton
        size="small"
        aria-label={text('filePreview.findNext')}
        disabled={matches.length === 0}
        onClick={() => search.step(1)}
      >
        <KeyboardArrowDownRounded />
      </IconButton>
      <IconButton size="small" aria-label={text('filePreview.findClose')} onClick={onClose}>
        <CloseRounded />
      </IconButton>
    </Box>
  )
}
