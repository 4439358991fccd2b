import IconButton from '@mui/material/IconButton'
import { Suspense, useRef, useState } from 'react'

import { fullName } from '#contract/kit/names.ts'
import { loadMessages } from '#providers/i18nProvider.ts'
import { useSession } from '#providers/session.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { Initials } from '#src/kit/layout/Initials.tsx'
import { useText } from '#src/kit/useText.ts'

const loadPanel = async () => {
  const [{ AccountPanel: panel }] = await Promise.all([import('./AccountPanel.tsx'), loadMessages()])
  return { default: panel }
}
const AccountPanel = lazy(loadPanel)

/** The signed-in person and their menu, which loads on hover or focus. */
export function AccountMenu() {
  const text = useText()
  const { user } = useSession()
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const [wanted, setWanted] = useState(false)
  if (!user) return null
  return (
    <>
      <IconButton
        ref={button}
        aria-label={text('app.account', { name: fullName(user) })}
        aria-haspopup="menu"
        aria-expanded={open}
        onPointerEnter={() => void loadPanel()}
        onFocus={() => void loadPanel()}
        onClick={() => {
          setOpen(true)
          setWanted(true)
        }}
        sx={{ borderRadius: '50%', p: 0.5 }}
      >
        <Initials
          firstName={user.firstName}
          lastName={user.lastName}
          imageUrl={user.profileImageUrl}
          size={36}
        />
      </IconButton>
      {wanted && (
        <Suspense>
          <AccountPanel user={user} button={button} open={open} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
