import Box from '@mui/material/Box'
import ListItemButton from '@mui/material/ListItemButton'
import Paper from '@mui/material/Paper'
import Typography from '@mui/material/Typography'
import { useLocaleState } from 'react-admin'
import { useId } from 'react'
import { Link, type To } from 'react-router-dom'

import type { ContactList } from '#contract/contacts/schema.ts'
import { formatNumber } from '#src/kit/time/formats.ts'
import { ListSkeleton } from '#src/kit/list/ListSkeleton.tsx'
import { useText } from '#src/kit/useText.ts'

interface Props {
  lists: readonly ContactList[] | undefined
  /** Name of the open list. */
  shown: string | undefined
  to: (name: string) => To
  /** Shows instructions, which do not fit beside the lists. */
  prompts: boolean
}

/** The contact lists with their counts. */
export function ContactLists({ lists, shown, to, prompts }: Props) {
  const text = useText()
  const titleId = useId()
  const [locale] = useLocaleState()
  return (
    <Paper variant="outlined" sx={{ display: 'flex', flexDirection: 'column', maxHeight: 'inherit' }}>
      <Box sx={{ px: 2, py: 1.5, borderBottom: 1, borderColor: 'divider' }}>
        <Typography id={titleId} variant="h3" component="h2">
          {text('contacts.lists')}
        </Typography>
        {prompts && <Box sx={{ color: 'text.secondary' }}>{text('contacts.prompt')}</Box>}
      </Box>
      {!lists && <ListSkeleton phone />}
      {lists && (
        <Box
          component="ul"
          aria-labelledby={titleId}
          sx={{ m: 0, p: 0.75, listStyle: 'none', overflowY: 'auto', flex: 1, minHeight: 0 }}
        >
          {lists.map(({ name, count }) => (
            <li key={name}>
              <ListItemButton
                component={Link}
                to={to(name)}
                selected={name === shown}
                aria-current={name === shown ? 'true' : undefined}
                sx={{ display: 'block', px: 1.25, py: 1 }}
              >
                <Box
                  component="span"
                  dir="auto"
                  sx={{
                    display: '-webkit-box',
                    WebkitBoxOrient: 'vertical',
                    WebkitLineClamp: 2,
                    overflow: 'hidden',
                    overflowWrap: 'anywhere',
                    fontWeight: 600,
                  }}
                >
                  {name}
                </Box>
                <Box component="span" sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>
                  {text('contacts.count', { count: formatNumber(locale, count) })}
                </Box>
              </ListItemButton>
            </li>
          ))}
        </Box>
      )}
    </Paper>
  )
}
