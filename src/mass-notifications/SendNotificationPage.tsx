import Box from '@mui/material/Box'
import { useState } from 'react'

import { Awaiting } from '#src/kit/feedback/Awaiting.tsx'
import { PageTitle } from '#src/kit/layout/PageTitle.tsx'
import { useText } from '#src/kit/useText.ts'

import { Notice } from './Notice.tsx'
import { useNotificationConfig } from './queries.ts'
import { QuotaBanner } from './QuotaBanner.tsx'
import { SendForm } from './SendForm.tsx'
import { useFollowed, useSubject } from './subject.ts'

/** Sends a notification to contacts and groups (administration §2.1 "Send Notification"). */
export function SendNotificationPage() {
  const text = useText()
  /** Number of sent notifications: each begins with an empty form. */
  const [sent, setSent] = useState(0)
  const { query, limits } = useNotificationConfig()
  const about = useSubject()
  const followed = useFollowed()
  return (
    <Box
      sx={{
        display: 'grid',
        gridTemplateColumns: 'minmax(0, 1fr)',
        gap: 2,
        maxWidth: 1440,
        mx: 'auto',
        px: { xs: 2, md: 3 },
        pt: { xs: 2, md: 3 },
      }}
    >
      <PageTitle title={text('massNotifications.send')} />
      <QuotaBanner quiet />
      <Notice tone="warning">{text('massNotifications.disclaimer')}</Notice>
      {limits && about !== undefined && followed !== undefined ? (
        <SendForm
          key={sent}
          isDone={sent > 0}
          limits={limits}
          // A second form begins empty, too.
          about={about && (sent === 0 ? about : { ...about, people: null })}
          followed={sent === 0 ? followed : null}
          onSent={() => setSent((before) => before + 1)}
        />
      ) : (
        <Awaiting queries={[query]} height={480} />
      )}
    </Box>
  )
}
