import IconButton from '@mui/material/IconButton'
import { lazy, Suspense, useState } from 'react'

import { fullName } from '#contract/users/rules.ts'
import { useSession } from '#providers/session.ts'
import { Initials } from '#src/kit/Initials.tsx'
import { useText } from '#src/kit/useText.ts'

const loadPanel = () => import('./AccountPanel.tsx')
const AccountPanel = lazy(async () => ({ default: (await loadPanel()).AccountPanel }))

/** Who is signed in. What belongs to them loads when it is reached for. */
export function AccountMenu() {
  const text = useText()
  const { user } = useSession()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [wanted, setWanted] = useState(false)
  if (!user) return null
  return (
    <>
      <IconButton
        aria-label={text('app.account', { name: fullName(user) })}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onPointerEnter={() => void loadPanel()}
        onFocus={() => void loadPanel()}
        onClick={(event) => {
          setAnchor(event.currentTarget)
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
          <AccountPanel user={user} anchor={anchor} onClose={() => setAnchor(null)} />
        </Suspense>
      )}
    </>
  )
}
