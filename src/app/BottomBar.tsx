import Box from '@mui/material/Box'
import { memo } from 'react'
import { Link } from 'react-router-dom'

import { useText } from '#src/kit/useText.ts'

import { useAllowedSections } from './MenuEntries.tsx'
import { MOST_USED } from './sections.ts'
import { useCurrentSection } from './useCurrentSection.ts'

export const BOTTOM_BAR_HEIGHT = 56

/** The most used sections at the bottom of a phone's screen; hidden when there is only one. */
export const BottomBar = memo(function BottomBar() {
  const text = useText()
  const sections = useAllowedSections().filter(({ path }) => MOST_USED.includes(path))
  const { section: current } = useCurrentSection()
  if (sections.length < 2) return null
  return (
    <Box
      component="nav"
      aria-label={text('app.mostUsed')}
      sx={{
        display: { xs: 'flex', sm: 'none' },
        'html[data-keyboard-open] &': { display: 'none' },
        position: 'fixed',
        insetInline: 0,
        bottom: 0,
        zIndex: 'appBar',
        minHeight: BOTTOM_BAR_HEIGHT,
        pb: 'env(safe-area-inset-bottom)',
        bgcolor: 'background.paper',
        borderTop: 1,
        borderColor: 'divider',
      }}
    >
      {sections.map((section) => {
        const Icon = section.icon
        return (
          <Box
            key={section.path}
            component={Link}
            to={section.path}
            aria-current={section === current ? 'page' : undefined}
            sx={{
              flex: 1,
              display: 'grid',
              placeContent: 'center',
              justifyItems: 'center',
              gap: 0.25,
              fontSize: '0.75rem',
              fontWeight: section === current ? 600 : 400,
              color: section === current ? 'primary.main' : 'text.secondary',
              textDecoration: 'none',
            }}
          >
            <Icon />
            {text(section.label)}
          </Box>
        )
      })}
    </Box>
  )
})
