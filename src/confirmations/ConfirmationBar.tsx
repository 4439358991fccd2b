import CheckCircleRounded from '@mui/icons-material/CheckCircleRounded'
import FactCheckOutlined from '@mui/icons-material/FactCheckOutlined'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useNotify } from 'react-admin'
import { Suspense, useState } from 'react'

import type { ConfirmationPlace } from '#contract/confirmations/schema.ts'
import { messageOf } from '#providers/problem.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { useText } from '#src/kit/useText.ts'

import { useConfirm, useConfirmations } from './queries.ts'

const PeopleDialog = lazy(async () => ({ default: (await import('./PeopleDialog.tsx')).PeopleDialog }))

interface Props extends ConfirmationPlace {
  /** Id of the message or the update. */
  subjectId: string
}

/** The request to confirm a message or an update, with its counts; nothing without a request. */
export function ConfirmationBar({ place, id, subjectId }: Props) {
  const text = useText()
  const notify = useNotify()
  const { data } = useConfirmations({ place, id })
  const confirm = useConfirm({ place, id })
  const [isOpen, setOpen] = useState(false)
  const request = data?.find(({ messageId, activityId }) => (messageId ?? activityId) === subjectId)
  if (!request) return null
  const { askedCount, confirmedCount, isAsked, confirmTimestamp } = request
  const isDone = confirmedCount >= askedCount
  const press = () =>
    confirm.mutate(request.id, {
      onError: (error) => notify(messageOf(error, text('kit.wentWrong')), { type: 'error' }),
    })
  return (
    <Box
      role="group"
      aria-label={text('confirmations.title')}
      sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1, rowGap: 0.5, my: 0.5 }}
    >
      {isAsked && confirmTimestamp === null && (
        <Button
          size="small"
          variant="outlined"
          startIcon={<FactCheckOutlined />}
          loading={confirm.isPending}
          onClick={press}
          sx={{ minHeight: { xs: 44, sm: 32 } }}
        >
          {text('confirmations.confirm')}
        </Button>
      )}
      {confirmTimestamp !== null && (
        <Box
          component="span"
          role="status"
          sx={{
            display: 'inline-flex',
            alignItems: 'center',
            gap: 0.5,
            fontSize: '0.8125rem',
            color: 'success.main',
          }}
        >
          <CheckCircleRounded sx={{ fontSize: 16 }} />
          {text('confirmations.confirmed')}
        </Box>
      )}
      <Button
        size="small"
        color={isDone ? 'success' : 'inherit'}
        onClick={() => setOpen(true)}
        sx={{ minHeight: { xs: 44, sm: 32 }, fontWeight: 400 }}
      >
        {text('confirmations.count', { confirmed: confirmedCount, asked: askedCount })}
      </Button>
      <Suspense>{isOpen && <PeopleDialog request={request} onClose={() => setOpen(false)} />}</Suspense>
    </Box>
  )
}
