import Button from '@mui/material/Button'
import { Suspense, useState } from 'react'

import { lazy } from '#src/kit/browser/lazy.ts'
import { useText } from '#src/kit/useText.ts'

const PersonDialog = lazy(async () => ({ default: (await import('./PersonDialog.tsx')).PersonDialog }))

interface Props {
  notificationId: string
  person: number
  name: string
}

/** Button that opens the messages to a person with their attempts. */
export function PersonDetails(props: Props) {
  const text = useText()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        size="small"
        aria-label={text('massNotifications.messagesTo', { name: props.name })}
        onClick={() => setOpen(true)}
        sx={{ justifySelf: 'start', minHeight: { xs: 44, sm: 32 }, ml: -0.5 }}
      >
        {text('massNotifications.personDetails')}
      </Button>
      <Suspense>{isOpen && <PersonDialog {...props} onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}
