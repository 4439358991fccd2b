import Box from '@mui/material/Box'
import GroupsRounded from '@mui/icons-material/GroupsRounded'
import Popper from '@mui/material/Popper'
import { useEffect } from 'react'

import { visuallyHidden } from '#src/kit/layout/visuallyHidden.ts'
import { useText } from '#src/kit/useText.ts'
import { PersonOption } from '#src/users/PersonOption.tsx'

import type { Mentions, Suggestion } from './useMentions.ts'

interface Props {
  mentions: Mentions
  /** The editor's frame, the anchor of the list. */
  anchor: HTMLElement | null
}

/** A group, or everybody online, and the number of people whom it reaches. */
function AudienceOption({ suggestion: { name, count } }: { suggestion: Suggestion }) {
  const text = useText()
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5, minWidth: 0 }}>
      <GroupsRounded sx={{ width: 28, color: 'text.secondary' }} />
      <Box sx={{ minWidth: 0, lineHeight: 1.3 }}>
        <Box component="span" dir="auto" sx={{ display: 'block', overflowWrap: 'anywhere' }}>
          @{name}
        </Box>
        <Box component="span" sx={{ display: 'block', fontSize: '0.75rem', color: 'text.secondary' }}>
          {count === undefined ? text('chat.here') : text('chat.groupMembers', { smart_count: count })}
        </Box>
      </Box>
    </Box>
  )
}

/** Suggestions for the typed mention. The focus stays in the editor. */
export function MentionList({ mentions, anchor }: Props) {
  const text = useText()
  const { listId, isOpen, people, active, choose, optionId } = mentions
  const activeId = isOpen ? optionId(active) : null
  useEffect(() => {
    if (activeId) document.querySelector(`[id="${activeId}"]`)?.scrollIntoView?.({ block: 'nearest' })
  }, [activeId])
  return (
    <>
      <Box role="status" sx={visuallyHidden}>
        {isOpen && text('chatMessages.mentionsFound', { smart_count: people.length })}
      </Box>
      <Popper
        open={isOpen && anchor !== null}
        anchorEl={anchor}
        placement="top-start"
        // Keeps the list within the page's landmark.
        container={anchor?.closest('main') ?? null}
        sx={{ zIndex: 'modal', width: 'min(360px, calc(100vw - 32px))' }}
      >
        <Box
          id={listId}
          role="listbox"
          aria-label={text('chatMessages.mentions')}
          sx={{
            maxHeight: 280,
            overflowY: 'auto',
            my: 0.5,
            py: 0.5,
            border: 1,
            borderColor: 'divider',
            borderRadius: 1,
            bgcolor: 'background.paper',
            boxShadow: 8,
          }}
        >
          {people.map((suggestion, index) => (
            // The keyboard is handled in the editor.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
            <Box
              key={suggestion.key}
              id={optionId(index)}
              role="option"
              aria-selected={index === active}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(suggestion)}
              sx={{
                px: 1.5,
                py: 0.75,
                minHeight: 44,
                cursor: 'pointer',
                bgcolor: index === active ? 'rgba(var(--m-palette-primary-mainChannel) / 0.12)' : undefined,
                '&:hover': { bgcolor: 'action.hover' },
              }}
            >
              {suggestion.person ? (
                <PersonOption email={suggestion.email} person={suggestion.person} />
              ) : (
                <AudienceOption suggestion={suggestion} />
              )}
            </Box>
          ))}
        </Box>
      </Popper>
    </>
  )
}
