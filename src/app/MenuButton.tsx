import MenuRounded from '@mui/icons-material/MenuRounded'
import IconButton from '@mui/material/IconButton'
import { Suspense, useState } from 'react'

import { lazy } from '#src/kit/browser/lazy.ts'
import { useText } from '#src/kit/useText.ts'

const loadDrawer = () => import('./MenuDrawer.tsx')
const MenuDrawer = lazy(async () => ({ default: (await loadDrawer()).MenuDrawer }))

/** Opens the menu as a drawer on narrow screens. The drawer loads on hover or focus. */
export function MenuButton() {
  const text = useText()
  const [open, setOpen] = useState(false)
  const [wanted, setWanted] = useState(false)
  return (
    <>
      <IconButton
        aria-label={text('app.openMenu')}
        aria-expanded={open}
        onPointerEnter={() => void loadDrawer()}
        onFocus={() => void loadDrawer()}
        onClick={() => {
          setOpen(true)
          setWanted(true)
        }}
        sx={{ display: { md: 'none' } }}
      >
        <MenuRounded />
      </IconButton>
      {wanted && (
        <Suspense>
          <MenuDrawer open={open} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
