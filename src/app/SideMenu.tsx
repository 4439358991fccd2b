import ChevronLeftRounded from '@mui/icons-material/ChevronLeftRounded'
import ChevronRightRounded from '@mui/icons-material/ChevronRightRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useStore } from 'react-admin'
import { memo } from 'react'

import { HEADER_HEIGHT, MENU_WIDTH, MENU_WIDTH_COLLAPSED } from '#src/kit/theme/theme.ts'
import { useText } from '#src/kit/useText.ts'

import { MenuEntries } from './MenuEntries.tsx'

/** The theme's `md` breakpoint. */
const WIDE = '(min-width:900px)'

/** The side menu; collapsible, and a drawer on narrow screens. */
export const SideMenu = memo(function SideMenu() {
  const text = useText()
  const [collapsed, setCollapsed] = useStore('menu.collapsed', false)
  const hasRoom = useMediaQuery(WIDE, { noSsr: true })
  if (!hasRoom) return null
  const toggleLabel = text(collapsed ? 'app.expandMenu' : 'app.collapseMenu')
  return (
    <Box
      component="nav"
      aria-label={text('app.mainMenu')}
      sx={{
        display: 'flex',
        flexDirection: 'column',
        position: 'sticky',
        top: HEADER_HEIGHT,
        flex: 'none',
        width: collapsed ? MENU_WIDTH_COLLAPSED : MENU_WIDTH,
        height: `calc(100vh - ${HEADER_HEIGHT}px)`,
        overflowY: 'auto',
        bgcolor: 'background.paper',
        borderRight: 1,
        borderColor: 'divider',
      }}
    >
      <MenuEntries collapsed={collapsed} />
      <Box sx={{ mt: 'auto', p: 1.5, textAlign: collapsed ? 'center' : 'right' }}>
        <IconButton
          aria-label={toggleLabel}
          title={toggleLabel}
          aria-expanded={!collapsed}
          onClick={() => setCollapsed(!collapsed)}
        >
          {collapsed ? <ChevronRightRounded /> : <ChevronLeftRounded />}
        </IconButton>
      </Box>
    </Box>
  )
})
