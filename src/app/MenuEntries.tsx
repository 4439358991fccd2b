import Box from '@mui/material/Box'
import { Fragment } from 'react'
import { Link } from 'react-router-dom'

import { useUnread } from '#providers/chat/unread.ts'
import { useSession } from '#providers/session.ts'
import { useCan } from '#providers/useCan.ts'
import { useText } from '#src/kit/useText.ts'

import { type Section, SECTIONS } from './sections.ts'
import { useBadges } from './useBadges.ts'
import { useCurrentSection } from './useCurrentSection.ts'

export function useAllowedSections(): readonly Section[] {
  const can = useCan()
  const isExternal = useSession().user?.type === 'EXTERNAL'
  return SECTIONS.filter(({ access, isInternal = false }) => can(access) && !(isInternal && isExternal))
}

interface EntryProps {
  section: Section
  current: boolean
  collapsed: boolean
  /** A badge beside the name, such as 'New'. */
  badge: string | undefined
  onFollow?: (() => void) | undefined
}

function Entry({ section, current, collapsed, badge, onFollow }: EntryProps) {
  const text = useText()
  const Icon = section.icon
  const label = text(section.label)
  return (
    <Box
      component={Link}
      to={section.path}
      onClick={onFollow}
      aria-current={current ? 'page' : undefined}
      {...(collapsed && { title: label, 'aria-label': label })}
      sx={(theme) => ({
        display: 'flex',
        alignItems: 'center',
        gap: 1.5,
        minHeight: 40,
        px: 1.5,
        justifyContent: collapsed ? 'center' : 'flex-start',
        borderRadius: '6px',
        textDecoration: 'none',
        color: 'text.primary',
        '& svg': { color: 'text.secondary' },
        '&:hover': { bgcolor: 'action.hover' },
        ...(current && {
          fontWeight: 600,
          '&, &:hover': {
            color: 'primary.main',
            bgcolor: `color-mix(in srgb, ${theme.vars.palette.primary.main} 10%, transparent)`,
          },
          '& svg': { color: 'primary.main' },
        }),
      })}
    >
      <Icon />
      {!collapsed && label}
      {!collapsed && badge && (
        <Box
          component="span"
          sx={{
            ml: 'auto',
            px: 0.75,
            borderRadius: '4px',
            fontSize: '0.75rem',
            fontWeight: 600,
            color: 'primary.main',
            border: 1,
          }}
        >
          {badge}
        </Box>
      )}
    </Box>
  )
}

interface Props {
  collapsed?: boolean
  onFollow?: () => void
}

/** Entries of the menu, grouped under headings. */
export function MenuEntries({ collapsed = false, onFollow }: Props) {
  const text = useText()
  const sections = useAllowedSections()
  const { section: current } = useCurrentSection()
  const badges = useBadges()
  const unread = useUnread()
  const counts = new Map([['/chat', unread > 99 ? '99+' : unread > 0 ? `${unread}` : undefined]])
  return (
    <Box component="ul" sx={{ display: 'grid', gap: 0.5, listStyle: 'none', m: 0, p: 1.5 }}>
      {sections.map((section, index) => (
        <Fragment key={section.path}>
          {section.group && section.group !== sections[index - 1]?.group && (
            <Box
              component="li"
              sx={{
                mt: 1.5,
                px: collapsed ? 0 : 1.5,
                py: 0.5,
                fontSize: '0.75rem',
                fontWeight: 600,
                color: 'text.secondary',
                ...(collapsed && { borderTop: 1, borderColor: 'divider' }),
              }}
            >
              {collapsed ? null : text(`app.sections.${section.group}`)}
            </Box>
          )}
          <li>
            <Entry
              section={section}
              current={section === current}
              collapsed={collapsed}
              badge={counts.get(section.path) ?? badges.get(section.path)}
              onFollow={onFollow}
            />
          </li>
        </Fragment>
      ))}
    </Box>
  )
}
