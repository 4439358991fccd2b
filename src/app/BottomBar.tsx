import Box from '@mui/material/Box'
import { memo } from 'react'
import { Link } from 'react-router-dom'

import { incidentsAccess } from '#contract/incidents/access.ts'
import { useCan } from '#providers/useCan.ts'
import { useText } from '#src/kit/useText.ts'

import { BAR_ENTRY, DeclareButton } from './DeclareButton.tsx'
import { useAllowedSections } from './MenuEntries.tsx'
import { MOST_USED, type Section } from './sections.ts'
import { useCurrentSection } from './useCurrentSection.ts'

export const BOTTOM_BAR_HEIGHT = 56

function Entry({ section, isCurrent }: { section: Section; isCurrent: boolean }) {
  const text = useText()
  const Icon = section.icon
  return (
    <Box
      component={Link}
      to={section.path}
      aria-current={isCurrent ? 'page' : undefined}
      sx={{
        ...BAR_ENTRY,
        fontWeight: isCurrent ? 600 : 400,
        color: isCurrent ? 'primary.main' : 'text.secondary',
      }}
    >
      <Icon />
      {text(section.label)}
    </Box>
  )
}

/** The most used sections at the bottom of a phone's screen, around the button that declares an incident. */
export const BottomBar = memo(function BottomBar() {
  const text = useText()
  const sections = useAllowedSections().filter(({ path }) => MOST_USED.includes(path))
  const { section: current } = useCurrentSection()
  const declares = useCan()(incidentsAccess.write)
  if (sections.length < 2) return null
  const middle = Math.ceil(sections.length / 2)
  const entries = (some: readonly Section[]) =>
    some.map((section) => <Entry key={section.path} section={section} isCurrent={section === current} />)
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
      {entries(sections.slice(0, middle))}
      {declares && <DeclareButton />}
      {entries(sections.slice(middle))}
    </Box>
  )
})
